/** Look-up of a device's request by the user code that a signed-in user typed (RFC 8628 section 3.3). */
import { requireSession } from "../../accounts/recent-proof.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { limitByNetwork } from "../../platform/http/limit-by-network.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import { type AuthorizationRequest, findAuthorizationRequest } from "../authorization-request.ts";
import type { OAuthDeps } from "../deps.ts";
import { readUserCode } from "./user-code.ts";

const WINDOW_SECONDS = 15 * 60;
/** Ten guesses find one of 1,000 codes with a probability below 1 in 2,000,000 (RFC 8628 section 5.1). */
const ENTRIES_OF_AN_ACCOUNT = 10;
const ENTRIES_OF_A_NETWORK = 50;

/**
 * Returns the open request with this user code.
 * @throws {UnauthorizedError | ForbiddenError} without a session
 * @throws {InvalidRequestError} if the text is no user code
 * @throws {RateLimitedError} after 10 codes of the account, or 50 of its network, in 15 minutes
 * @throws {NotFoundError} if no open request has the code
 */
export async function findDeviceRequest(
  deps: OAuthDeps & { readonly rateLimiter: RateLimiter },
  viewer: Viewer | null,
  entry: { readonly userCode: string; readonly ip: string | null },
): Promise<AuthorizationRequest> {
  const { accountId } = requireSession(viewer);
  const userCode = readUserCode(entry.userCode);
  await deps.rateLimiter.consume("oauth_user_code", accountId, ENTRIES_OF_AN_ACCOUNT, WINDOW_SECONDS);
  await limitByNetwork(deps, "oauth_user_code_network", entry.ip, ENTRIES_OF_A_NETWORK, WINDOW_SECONDS);
  const row = await deps.db.prisma.oAuthRequest.findUnique({ where: { userCode }, select: { id: true } });
  const request = row && (await findAuthorizationRequest(deps, viewer, row.id));
  if (!request)
    throw new NotFoundError("No device waits with this code. Check the code, or start again on the device.");
  return request;
}
