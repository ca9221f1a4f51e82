/**
 * Signed, time-bound URLs for watching a checkout (spec section 2.12). A URL grants access to one order and contains neither
 * the account nor the merchant.
 */
import { errors, jwtVerify, SignJWT } from "jose";
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import type { SigningKeys } from "../../platform/crypto/signing-keys.ts";
import type { Site } from "../../platform/http/site.ts";

const AUDIENCE = "live-view";
const TYPE = "live-view+jwt";
const LIFETIME_SECONDS = 15 * 60;
const MAX_TOKEN_LENGTH = 2_048;
const THUMBPRINT = /^[\w-]{43}$/;

export interface LiveViewDeps {
  readonly site: Site;
  readonly signingKeys: SigningKeys;
}

export interface LiveViewGrant {
  readonly orderId: string;
  /** Whether the holder may type and click while the cardholder is needed; also requires the account owner's session. */
  readonly mayAct: boolean;
  readonly expiresAt: Date;
}

/**
 * Creates the URL `<site>/live/<order>?token=<JWT>`, valid for 15 minutes.
 * @param options.mayAct false for every URL that leaves this site, because agents may only pass on viewing access
 */
export async function createLiveViewUrl(
  deps: LiveViewDeps,
  { id }: Pick<CheckoutOrder, "id">,
  { mayAct }: { readonly mayAct: boolean },
): Promise<string> {
  const { kid, privateKey } = await deps.signingKeys.current("live_view");
  const issuedAt = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({ act: mayAct })
    .setProtectedHeader({ alg: "ES256", kid, typ: TYPE })
    .setIssuer(deps.site.baseUrl())
    .setSubject(id)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(privateKey);
  return `${deps.site.browserUrl()}/live/${id}?token=${token}`;
}

/** Verifies a live-view token and returns its grant; null if it is malformed, expired, of another type or wrongly signed. */
export async function verifyLiveViewToken(deps: LiveViewDeps, jwt: string): Promise<LiveViewGrant | null> {
  if (jwt.length > MAX_TOKEN_LENGTH) return null;
  const keyOf = async ({ kid }: { kid?: string }) => {
    const key = kid && THUMBPRINT.test(kid) ? await deps.signingKeys.publicKey("live_view", kid) : null;
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  try {
    const { payload } = await jwtVerify(jwt, keyOf, {
      issuer: deps.site.baseUrl(),
      audience: AUDIENCE,
      algorithms: ["ES256"],
      typ: TYPE,
      requiredClaims: ["exp", "iat", "sub"],
    });
    const { sub: orderId = "", exp = 0 } = payload;
    return { orderId, mayAct: payload["act"] === true, expiresAt: new Date(exp * 1_000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
