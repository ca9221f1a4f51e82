/** What browsers answer with (WebAuthn level 3, section 5.1: the JSON forms), verified by @simplewebauthn/server. */
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import type { Passkey } from "../../../generated/prisma/client.ts";
import { InvalidRequestError, ServiceError } from "../../platform/errors.ts";
import type { NewPasskey } from "./deps.ts";
import type { RelyingParty } from "./relying-party.ts";

/** The passkey was not accepted: unknown, of another account, for another site or challenge, or used before (not said which). */
export class PasskeyRefusedError extends ServiceError {
  readonly code = "passkey_refused";
  constructor(message = "This passkey was not accepted. Try again, or sign in another way.") {
    super(message);
  }
}

/** WebAuthn allows 1,023 bytes. */
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

export interface Assertion {
  readonly credentialId: string;
  readonly userHandle: string;
  readonly response: AuthenticationResponseJSON;
}

/** @throws {InvalidRequestError} when it is not an AuthenticationResponseJSON of a discoverable passkey */
export function readAuthentication(given: unknown): Assertion {
  const response = read(Authentication, given);
  const json = { ...response, clientExtensionResults: {} };
  return { credentialId: response.id, userHandle: response.response.userHandle, response: json };
}

/** @throws {InvalidRequestError} when it is not a RegistrationResponseJSON */
export function readRegistration(given: unknown): RegistrationResponseJSON {
  return { ...read(Registration, given), clientExtensionResults: {} } as RegistrationResponseJSON;
}

/** What is left to store after a passkey has proved itself. */
export interface VerifiedAssertion {
  readonly newCounter: bigint;
  readonly isBackedUp: boolean;
}

/** @throws {PasskeyRefusedError} unless the passkey signed this challenge, on this origin, its person verified, with a counter that went on */
export async function verifyAssertion(
  party: RelyingParty,
  passkey: Passkey,
  { response }: Assertion,
  challenge: string,
): Promise<VerifiedAssertion> {
  const { verified, authenticationInfo } = await refusing(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: Number(passkey.counter) },
    }),
  );
  if (!verified) throw new PasskeyRefusedError();
  return { newCounter: BigInt(authenticationInfo.newCounter), isBackedUp: authenticationInfo.credentialBackedUp };
}

/** @throws {PasskeyRefusedError} unless a passkey was made for this challenge, on this origin, its person verified */
export async function verifyRegistration(
  party: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<Omit<NewPasskey, "name">> {
  const { verified, registrationInfo } = await refusing(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }),
  );
  if (!verified) throw new PasskeyRefusedError();
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    id: credential.id,
    publicKey: new Uint8Array(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: [...(credential.transports ?? [])],
    isBackedUp: credentialBackedUp,
  };
}

/** The library throws for each thing that is wrong; what it says is for developers. */
async function refusing<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch {
    throw new PasskeyRefusedError();
  }
}

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const field = ["response", ...(parsed.error.issues[0]?.path ?? [])].join(".");
  throw new InvalidRequestError(`${field} is not what a browser answers with.`, field);
}
