/** Changes the card budget of an existing API token. */
import type { ApiToken } from "../../generated/prisma/client.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { retryDeadlocks } from "../platform/database/retry-deadlocks.ts";
import { NotFoundError } from "../platform/errors.ts";
import { type CardBudgetTerms, checkCardBudget } from "./card-budget.ts";
import { cardBudgetParameter, writeCardBudget } from "./card-budget-statement.ts";
import { requireSession } from "./recent-proof.ts";
import type { Viewer } from "./viewer.ts";

const CHANGE: Statement = {
  name: "change-api-token-card-budget",
  text: `WITH token AS MATERIALIZED (
      SELECT id FROM api_tokens
      WHERE id = $1 AND account_id = $2::uuid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) FOR UPDATE
    ), ${writeCardBudget({ credentials: "token", accountId: "$2", terms: "$3" })}
    SELECT id FROM token`,
};

/**
 * Sets the card budget of a token, or removes it. The next order of the token and its descendants counts against the new limits.
 * Today's and this month's use remains, unless the currency changes.
 * @param change.cardBudget null: the checkout policy and the budgets of its ancestors alone limit the token
 * @throws {UnauthorizedError | ForbiddenError} without a session
 * @throws {InvalidRequestError | NotFoundError} the token is not an active one of the account
 */
export async function changeApiTokenCardBudget(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  { tokenId, cardBudget }: { readonly tokenId: string; readonly cardBudget: CardBudgetTerms | null },
): Promise<ApiToken> {
  const { accountId } = requireSession(viewer);
  if (cardBudget) checkCardBudget(cardBudget);
  const parameters = [tokenId, accountId, cardBudgetParameter(cardBudget)];
  const [changed] = await retryDeadlocks(() => db.query<{ id: string }>(CHANGE, parameters));
  if (!changed) throw new NotFoundError("API token not found, or no longer active. Nothing was changed.");
  return await db.prisma.apiToken.findUniqueOrThrow({ where: { id: changed.id } });
}
