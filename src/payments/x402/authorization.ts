/** The complete, unsigned authorization. It is stored with the payment, so the same bytes can be signed again after a crash. */
import { z } from "zod";
import { NETWORK_NAMES } from "../../wallet/networks.ts";
import { declareGasSponsoring } from "./extensions.ts";

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

/** EIP-2612 Permit. `nonce` is the owner's next nonce in the token contract; nonces are sequential, so only one may be outstanding. */
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

/** Permit2 PermitWitnessTransferFrom. The witness fixes the recipient, and for `upto` the facilitator that may settle. */
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
  /** Also signed if the token's allowance for Permit2 is too low and the seller's facilitator submits such a permit. */
  allowancePermit: Permit.nullable(),
});

/** The message of a Solana transaction, signed by the payer and co-signed by the fee payer. */
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

/**
 * An echoed member as JSON text, because jsonb would reorder its members and the bytes sent again must be the same. Payments of
 * version 0.1.0 contain an object.
 */
const JsonText = z.union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))]);

const Echo = z
  .object({
    network: z.string(),
    accepted: JsonText.nullable(),
    resource: JsonText.nullable(),
    extensions: JsonText.nullable().default(null),
    /** Version 0.1.0 stored the seller's `info` of this extension only. */
    gasSponsoring: z.record(z.string(), z.unknown()).nullish(),
  })
  .transform(({ gasSponsoring, ...echo }) =>
    gasSponsoring ? { ...echo, extensions: JSON.stringify(declareGasSponsoring(gasSponsoring)) } : echo,
  );

const StoredAuthorizationSchema = z.object({
  x402Version: z.union([z.literal(1), z.literal(2)]),
  scheme: z.enum(["exact", "upto"]),
  network: z.enum(NETWORK_NAMES),
  echo: Echo,
  authorization: z.discriminatedUnion("kind", [Eip3009, Permit, Permit2, Solana]),
});

export type PermitAuthorization = z.infer<typeof Permit>;
export type Permit2Authorization = z.infer<typeof Permit2>;
export type StoredAuthorization = z.infer<typeof StoredAuthorizationSchema>;
export type Authorization = StoredAuthorization["authorization"];

/**
 * Parses the JSON stored in the payment's row.
 *
 * @throws {z.ZodError} when the row has another shape: a bug or a tampered database, never the caller's fault.
 */
export function readStoredAuthorization(json: unknown): StoredAuthorization {
  return StoredAuthorizationSchema.parse(json);
}

/** Returns the expiry (`validBefore` or `deadline`); null on Solana, where `lastValidBlockHeight` decides. */
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
 * Returns whether the authorization may count as signed before it is (`Reservation.countsAsSigned`). This requires a deterministic
 * signature and a random nonce by which the chain state is found. Solana finds a transfer by its signature, and a permit nonce may
 * be shared with another permit.
 */
export function countsAsSigned(authorization: Authorization): boolean {
  return authorization.kind !== "solana" && !usesPermitNonce(authorization);
}

/** Returns whether it uses the token's sequential permit nonce, which allows one outstanding permit per owner. */
export function usesPermitNonce(authorization: Authorization): boolean {
  return (
    authorization.kind === "permit" || (authorization.kind === "permit2" && authorization.allowancePermit !== null)
  );
}

/** Returns the permit slot of a wallet's address: at most one row of the ledger holds it, because permit nonces are sequential. */
export function permitSlotOf(network: string, asset: string, owner: string): string {
  return `${network}:${asset}:${owner}`;
}
