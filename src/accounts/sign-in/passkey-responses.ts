/**
 * Parsing and verification of WebAuthn responses in their JSON form (level 3, section 5.1), by @simplewebauthn/server.
 */
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import type { Passkey } from "../../../generated/prisma/client.ts";
import { InvalidRequestError, ServiceError } from "../../platform/errors.ts";
import type { NewPasskey } from "./deps.ts";
import type { RelyingParty } from "./relying-party.ts";

/**
 * The passkey was not accepted: it is unknown, of another account, for another site or challenge, or was already used.
 * The error does not reveal which.
 */
export class PasskeyRefusedError extends ServiceError {
  readonly code = "passkey_refused";
  constructor(message = "The passkey was not accepted. Retry, or use another sign-in method.") {
    super(message);
  }
}

/** Length in base64url: WebAuthn allows 1,023 bytes. */
export const MAX_CREDENTIAL_ID_LENGTH = 1_364;

const Base64Url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, "must be base64url");
const Credential = {
  id: Base64Url(MAX_CREDENTIAL_ID_LENGTH),
  rawId: Base64Url(MAX_CREDENTIAL_ID_LENGTH),
  type: z.literal("public-key"),
};

const Authentication = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: Base64Url(4_096),
    authenticatorData: Base64Url(4_096),
    signature: Base64Url(8_192),
    userHandle: Base64Url(128),
  }),
});

const Registration = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: Base64Url(4_096),
    attestationObject: Base64Url(65_536),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .optional(),
  }),
});

/** Members of the client data that the library does not check. */
interface ClientData {
  readonly crossOrigin?: unknown;
  readonly topOrigin?: unknown;
}

export interface Assertion {
  readonly credentialId: string;
  readonly userHandle: string;
  readonly response: AuthenticationResponseJSON;
}

/**
 * Parses the response of a passkey that signs in.
 * @throws {InvalidRequestError} if the value is not an AuthenticationResponseJSON of a discoverable passkey
 */
export function readAuthentication(value: unknown): Assertion {
  const response = parseResponse(Authentication, value);
  const json = { ...response, clientExtensionResults: {} };
  return { credentialId: response.id, userHandle: response.response.userHandle, response: json };
}

/**
 * Parses the response of a new passkey.
 * @throws {InvalidRequestError} if the value is not a RegistrationResponseJSON
 */
export function readRegistration(value: unknown): RegistrationResponseJSON {
  return { ...parseResponse(Registration, value), clientExtensionResults: {} } as RegistrationResponseJSON;
}

/** The values of a verified assertion that are stored with the passkey. */
export interface VerifiedAssertion {
  readonly newCounter: bigint;
  readonly isBackedUp: boolean;
}

/**
 * Verifies an assertion by a registered passkey.
 * @throws {PasskeyRefusedError} unless the passkey signed this challenge on this origin, outside frames of other sites,
 *   with user verification and an increased counter
 */
export async function verifyAssertion(
  party: RelyingParty,
  passkey: Passkey,
  { response }: Assertion,
  challenge: string,
): Promise<VerifiedAssertion> {
  const { verified, authenticationInfo } = await convertErrors(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: Number(passkey.counter) },
    }),
  );
  if (!verified || isCrossOrigin(response.response)) throw new PasskeyRefusedError();
  return { newCounter: BigInt(authenticationInfo.newCounter), isBackedUp: authenticationInfo.credentialBackedUp };
}

/**
 * Verifies a registration and returns the new passkey.
 * @throws {PasskeyRefusedError} unless the passkey was created for this challenge on this origin, outside frames of other
 *   sites, with user verification
 */
export async function verifyRegistration(
  party: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<Omit<NewPasskey, "name">> {
  const { verified, registrationInfo } = await convertErrors(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }),
  );
  if (!verified || isCrossOrigin(response.response)) throw new PasskeyRefusedError();
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    id: credential.id,
    publicKey: new Uint8Array(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: [...(credential.transports ?? [])],
    isBackedUp: credentialBackedUp,
  };
}

/**
 * Returns whether the passkey was used in a frame whose ancestors include another origin (WebAuthn level 3, section 5.8.1).
 * That page could cover the text that the user confirms. Satchel's pages are never framed.
 */
function isCrossOrigin({ clientDataJSON }: { readonly clientDataJSON: string }): boolean {
  const { crossOrigin = false, topOrigin } = decodeClientDataJSON(clientDataJSON) as ClientData;
  return crossOrigin !== false || topOrigin !== undefined;
}

/** Replaces the library's errors, whose messages are for developers, with `PasskeyRefusedError`. */
async function convertErrors<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch {
    throw new PasskeyRefusedError();
  }
}

function parseResponse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = ["response", ...(parsed.error.issues[0]?.path ?? [])].join(".");
  throw new InvalidRequestError(`${field} is not a valid WebAuthn response in JSON form.`, field);
}
