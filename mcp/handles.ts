/**
 * Handles of purchases, such as the `payment_id` of a price: created by one tool and consumed once by another. A handle is signed and
 * bound to the caller, the tool and the arguments. Its key is the idempotency key of the purchase, so a repeated call returns the
 * first result, and no second store of handles exists.
 */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign, verify } from "node:crypto";
import type { SigningKeys } from "../src/platform/crypto/signing-keys.ts";
import { ToolError } from "./tool-error.ts";

/** Equal to the retention of stored responses: a handle can be used as long as a repeated call can return its result. */
const LIFETIME_SECONDS = 86_400;

const NONCE_BYTES = 12;
const EXPIRY_BYTES = 4;
const CAP_BYTES = 8;
const BODY_BYTES = NONCE_BYTES + EXPIRY_BYTES + CAP_BYTES;
/** ES256 as two numbers of 32 bytes. */
const SIGNATURE_BYTES = 64;
const NO_CAP = 2n ** 64n - 1n;

export interface HandleCaller {
  readonly accountId: string;
  /** The budget of the credential: the handle of one token is not valid for another. */
  readonly budgetId: string;
}

/** What a handle permits. */
export interface HandleTerms {
  /** The tool that consumes it. */
  readonly tool: string;
  /** The arguments of that tool, compared as JSON. */
  readonly arguments: unknown;
  /** Argument that carries the handle, for error messages. */
  readonly field: string;
}

export interface OpenedHandle {
  /** Idempotency key of the purchase. */
  readonly idempotencyKey: string;
  /** The maximum amount in the asset's smallest unit; null for none. */
  readonly capAtomic: bigint | null;
}

export interface Handles {
  /** @param lifetimeSeconds default: a day */
  create(terms: HandleTerms, capAtomic?: bigint | null, lifetimeSeconds?: number): Promise<string>;
  /** @throws {ToolError} if the handle is not one of this service, has expired, or has other terms */
  open(handle: string, terms: HandleTerms): Promise<OpenedHandle>;
}

/** Creates the handles of one caller. */
export function createHandles(keys: SigningKeys, caller: HandleCaller, now: () => number = Date.now): Handles {
  return {
    async create(terms, capAtomic = null, lifetimeSeconds = LIFETIME_SECONDS) {
      const body = Buffer.alloc(BODY_BYTES);
      randomBytes(NONCE_BYTES).copy(body);
      body.writeUInt32BE(Math.floor(now() / 1_000) + lifetimeSeconds, NONCE_BYTES);
      body.writeBigUInt64BE(capAtomic ?? NO_CAP, NONCE_BYTES + EXPIRY_BYTES);
      const { privateKey } = await keys.current("tool_handle");
      const signature = sign("sha256", digest(body, caller, terms), { key: privateKey, dsaEncoding: "ieee-p1363" });
      return Buffer.concat([body, signature]).toString("base64url");
    },
    async open(handle, terms) {
      const bytes = Buffer.from(handle, "base64url");
      const body = bytes.subarray(0, BODY_BYTES);
      const isWellFormed = bytes.byteLength === BODY_BYTES + SIGNATURE_BYTES && bytes.toString("base64url") === handle;
      if (!isWellFormed || !(await isSigned(keys, digest(body, caller, terms), bytes.subarray(BODY_BYTES)))) {
        throw new ToolError({
          code: "invalid_request",
          message: `${terms.field} does not belong to these arguments, or to this account. Nothing was done. Pass it with exactly the arguments that it was created for.`,
          field: terms.field,
        });
      }
      const idempotencyKey = `tool-handle-${body.subarray(0, NONCE_BYTES).toString("base64url")}`;
      if (body.readUInt32BE(NONCE_BYTES) * 1_000 < now()) {
        throw new ToolError({
          code: "invalid_request",
          message: `${terms.field} has expired. This call did nothing.`,
          field: terms.field,
          idempotencyKey,
        });
      }
      const capAtomic = body.readBigUInt64BE(NONCE_BYTES + EXPIRY_BYTES);
      return {
        idempotencyKey,
        capAtomic: capAtomic === NO_CAP ? null : capAtomic,
      };
    },
  };
}

function digest(body: Uint8Array, { accountId, budgetId }: HandleCaller, terms: HandleTerms): Buffer {
  const bound = JSON.stringify(["tool-handle", accountId, budgetId, terms.tool, terms.arguments]);
  return createHash("sha256").update(body).update(bound).digest();
}

/** Checks the signature with the current key first, then with those that were retired while the handle was valid. */
async function isSigned(keys: SigningKeys, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const isValid = (key: KeyObject | null) =>
    key !== null && verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, signature);
  const { kid } = await keys.current("tool_handle");
  if (isValid(await keys.publicKey("tool_handle", kid))) return true;
  const published = await keys.published("tool_handle");
  return published.some((jwk) => jwk.kid !== kid && isValid(createPublicKey({ key: jwk as never, format: "jwk" })));
}
