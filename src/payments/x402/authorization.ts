/** What will be signed, complete and unsigned: kept beside the payment, so that the same bytes can be made again after a crash. */
import { z } from "zod";
import { NETWORK_NAMES } from "../../wallet/networks.ts";

const Address = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{40}$/)]);
const Bytes32 = z.templateLiteral(["0x", z.string().regex(/^[0-9a-f]{64}$/)]);
/** An unsigned integer as a decimal string: JSON has no bigint. */
const Uint = z.string().regex(/^\d{1,78}$/);
const TokenDomain = z.object({ name: z.string(), version: z.string() });

/** EIP-3009 TransferWithAuthorization. Times are Unix seconds. */
const Eip3009 = z.object({
  kind: z.literal("eip3009"),
  chainId: z.int(),
  asset: Address,
  domain: TokenDomain,
  from: Address,
  to: Address,
  valueAtomic: Uint,
  validAfter: Uint,
  validBefore: Uint,
  nonce: Bytes32,
});

/** EIP-2612 Permit. `nonce` is the owner's next one in the token: sequential, so only one may be outstanding. */
const Permit = z.object({
  kind: z.literal("permit"),
  chainId: z.int(),
  asset: Address,
  domain: TokenDomain,
  owner: Address,
  spender: Address,
  valueAtomic: Uint,
  nonce: Uint,
  deadline: Uint,
});

/** Permit2 PermitWitnessTransferFrom; the witness fixes the recipient (and for `upto` who may settle). */
const Permit2 = z.object({
  kind: z.literal("permit2"),
  chainId: z.int(),
  asset: Address,
  from: Address,
  spender: Address,
  amountAtomic: Uint,
  nonce: Uint,
  deadline: Uint,
  witness: z.object({ to: Address, facilitator: Address.nullable(), validAfter: Uint }),
  /** Signed as well when the token has not granted Permit2 enough and the shop's facilitator submits such a permit. */
  allowancePermit: Permit.nullable(),
});

/** A Solana transaction's message, to be signed by the payer; the fee payer co-signs. */
const Solana = z.object({
  kind: z.literal("solana"),
  payer: z.string(),
  feePayer: z.string(),
  payTo: z.string(),
  asset: z.string(),
  amountAtomic: Uint,
  messageBase64: z.base64(),
  blockhash: z.string(),
  lastValidBlockHeight: z.int(),
});

const Json = z.record(z.string(), z.unknown());

const StoredAuthorizationSchema = z.object({
  x402Version: z.union([z.literal(1), z.literal(2)]),
  scheme: z.enum(["exact", "upto"]),
  network: z.enum(NETWORK_NAMES),
  echo: z.object({
    network: z.string(),
    accepted: Json.nullable(),
    resource: Json.nullable(),
    gasSponsoring: Json.nullable(),
  }),
  authorization: z.discriminatedUnion("kind", [Eip3009, Permit, Permit2, Solana]),
});

export type PermitAuthorization = z.infer<typeof Permit>;
export type Permit2Authorization = z.infer<typeof Permit2>;
export type StoredAuthorization = z.infer<typeof StoredAuthorizationSchema>;
export type Authorization = StoredAuthorization["authorization"];

/**
 * Reads the JSON kept in the payment's row.
 * @throws {z.ZodError} when the row holds something else: that is a bug or a tampered database, never the caller's fault.
 */
export function readStoredAuthorization(json: unknown): StoredAuthorization {
  return StoredAuthorizationSchema.parse(json);
}

/** When the chain stops taking it (`validBefore` or `deadline`); null on Solana, where `lastValidBlockHeight` decides. */
export function authorizationExpiry(authorization: Authorization): Date | null {
  switch (authorization.kind) {
    case "eip3009":
      return new Date(Number(authorization.validBefore) * 1_000);
    case "permit":
    case "permit2":
      return new Date(Number(authorization.deadline) * 1_000);
    case "solana":
      return null;
  }
}

/**
 * Whether it may count as signed before it is (`Reservation.countsAsSigned`): its signature follows from it, and a random nonce of its
 * own tells what became of it. Solana knows a transfer by its signature, and a permit's nonce is another's as well.
 */
export function countsAsSigned(authorization: Authorization): boolean {
  return authorization.kind !== "solana" && !usesPermitNonce(authorization);
}

/** Whether it takes up the token's sequential permit nonce, so that no other permit of that owner may be signed meanwhile. */
export function usesPermitNonce(authorization: Authorization): boolean {
  return (
    authorization.kind === "permit" || (authorization.kind === "permit2" && authorization.allowancePermit !== null)
  );
}
