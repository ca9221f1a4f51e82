/**
 * Signatures of documents by passkeys: an assertion whose challenge is the document's SHA-256. It can be verified later
 * with the passkey's public key (WebAuthn level 3, section 7.2).
 */
import { generateAuthenticationOptions, type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Database } from "../../platform/database/connection.ts";
import type { Site } from "../../platform/http/site.ts";
import { PasskeyRefusedError, readAuthentication, verifyAssertion } from "./passkey-responses.ts";
import { recordPasskeyUse } from "./passkeys.ts";
import { encodeUserHandle, requireRelyingParty } from "./relying-party.ts";

/** A signature as policies and bundles contain it (decisions, "Policy and mandates"). All values are base64url. */
export interface PasskeySignature {
  readonly type: "webauthn";
  readonly credential_id: string;
  readonly authenticator_data: string;
  readonly client_data_json: string;
  readonly signature: string;
}

interface SignatureDeps {
  readonly db: Database;
  readonly site: Site;
}

const TIMEOUT_MS = 5 * 60_000;

/**
 * Returns the options for an assertion by one of the account's passkeys.
 * @param sha256 digest of the document
 */
export async function passkeySignatureOptions(
  { db, site }: SignatureDeps,
  accountId: string,
  sha256: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const party = requireRelyingParty(site);
  const passkeys = await db.prisma.passkey.findMany({ where: { accountId }, select: { id: true, transports: true } });
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: sha256,
    userVerification: "required",
    allowCredentials: passkeys as never,
    timeout: TIMEOUT_MS,
  });
}

/**
 * Verifies a signature of a document.
 * @param response an AuthenticationResponseJSON
 * @throws {PasskeyRefusedError} unless a passkey of the account signed the digest on this origin, with user
 *   verification
 * @throws {InvalidRequestError}
 */
export async function verifyPasskeySignature(
  { db, site }: SignatureDeps,
  accountId: string,
  sha256: Uint8Array,
  response: unknown,
): Promise<PasskeySignature> {
  const party = requireRelyingParty(site);
  const userHandle = encodeUserHandle(accountId);
  const assertion = readAuthentication(addUserHandle(response, userHandle));
  const passkey = await db.prisma.passkey.findUnique({ where: { id: assertion.credentialId } });
  if (passkey?.accountId !== accountId || assertion.userHandle !== userHandle) throw new PasskeyRefusedError();
  await recordPasskeyUse(
    db,
    passkey,
    await verifyAssertion(party, passkey, assertion, Buffer.from(sha256).toString("base64url")),
  );
  const { authenticatorData, clientDataJSON, signature } = assertion.response.response;
  return {
    type: "webauthn",
    credential_id: passkey.id,
    authenticator_data: authenticatorData,
    client_data_json: clientDataJSON,
    signature,
  };
}

/**
 * Adds the account's user handle to a response without one. Authenticators may omit it when the request lists the
 * allowed credentials (WebAuthn level 3, section 6.3.3).
 */
function addUserHandle(assertion: unknown, userHandle: string): unknown {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
  if (!isObject(assertion) || !isObject(assertion["response"])) return assertion;
  const { response } = assertion;
  return { ...assertion, response: { ...response, userHandle: response["userHandle"] ?? userHandle } };
}
