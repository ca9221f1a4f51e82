/**
 * A person's signature under a document: their passkey's assertion whose challenge is the document's SHA-256. Anybody
 * with the passkey's public key can check it later (WebAuthn level 3, section 7.2).
 */
import { generateAuthenticationOptions, type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Database } from "../../platform/database/connection.ts";
import type { Site } from "../../platform/http/site.ts";
import { PasskeyRefusedError, readAuthentication, verifyAssertion } from "./passkey-responses.ts";
import { usePasskey } from "./passkeys.ts";
import { requireRelyingParty, userHandleOf } from "./relying-party.ts";

/** As policies and bundles show it (decisions, "Policy and mandates"); all in base64url. */
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

/** What the browser asks one of the account's passkeys with. @param sha256 of what is signed */
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
 * @param given an AuthenticationResponseJSON
 * @throws {PasskeyRefusedError} unless a passkey of the account signed that digest here, its person verified
 * @throws {InvalidRequestError}
 */
export async function verifyPasskeySignature(
  { db, site }: SignatureDeps,
  accountId: string,
  sha256: Uint8Array,
  given: unknown,
): Promise<PasskeySignature> {
  const party = requireRelyingParty(site);
  const own = userHandleOf(accountId);
  const assertion = readAuthentication(withUserHandle(given, own));
  const passkey = await db.prisma.passkey.findUnique({ where: { id: assertion.credentialId } });
  if (passkey?.accountId !== accountId || assertion.userHandle !== own) throw new PasskeyRefusedError();
  await usePasskey(
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

/** Authenticators that were told which passkeys to use may leave out whose they are (WebAuthn level 3, section 6.3.3). */
function withUserHandle(given: unknown, own: string): unknown {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
  if (!isObject(given) || !isObject(given["response"])) return given;
  return { ...given, response: { ...given["response"], userHandle: given["response"]["userHandle"] ?? own } };
}
