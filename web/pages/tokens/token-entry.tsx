import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CardBudgetSpending } from "../../components/card-budget-spending.tsx";
import { LimitSpending } from "../../components/limit-spending.tsx";
import { Cell, Row } from "../../components/list.tsx";
import { Time } from "../../components/time.tsx";
import type { TokenRowFragment } from "../../generated/graphql.ts";

export function TokenEntry({
  token,
  onChangeCardBudget,
  onRevoke,
}: {
  readonly token: TokenRowFragment;
  readonly onChangeCardBudget: () => void;
  readonly onRevoke: () => void;
}) {
  const { name, hint, spending, networks, allowedHosts, lastUsedAt, createdAt, expiresAt, revokedAt } = token;
  const hasEnded = revokedAt !== null || (expiresAt !== null && new Date(expiresAt) < new Date());
  return (
    <Row className={hasEnded ? "text-muted" : ""}>
      <Cell>
        <span className="font-medium">{name}</span>{" "}
        <span className="font-mono text-small whitespace-nowrap text-muted">…{hint}</span>
        <span className="block text-small text-muted">
          Created <Time at={createdAt} />
        </span>
      </Cell>
      <Cell>
        <LimitSpending spending={spending} />
        <CardBudgetSpending budget={token.cardBudget} />
        <span className="mt-1 block text-small text-muted">
          on {networks.join(", ") || "no network"}
          {allowedHosts.length > 0 && `, to ${allowedHosts.join(", ")} only`}
          {token.scopes.includes("ACCOUNT_MANAGE") && "; can change the account"}
        </span>
      </Cell>
      <Cell label="Last used" className="text-small">
        <span>
          {lastUsedAt ? <Time at={lastUsedAt} /> : "never"}
          {expiresAt && !hasEnded && (
            <span className="block text-muted">
              expires <Time at={expiresAt} />
            </span>
          )}
        </span>
      </Cell>
      <Cell className="max-md:pt-1">
        {hasEnded ? (
          <Badge tone="muted">{revokedAt ? "Revoked" : "Expired"}</Badge>
        ) : (
          <span className="flex flex-wrap gap-2">
            <Button size="small" aria-label={`Change card limits of ${name}`} onClick={onChangeCardBudget}>
              Card limits
            </Button>
            <Button size="small" aria-label={`Revoke ${name}`} onClick={onRevoke}>
              Revoke
            </Button>
          </span>
        )}
      </Cell>
    </Row>
  );
}
