import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from "@x402/core/types";
import { encodeFunctionData, type Hex, parseAbi, parseSignature, verifyTypedData } from "viem";
import { z } from "zod";
import type { EvmChain } from "../evm/chain.ts";
import { USDC_FUNCTIONS } from "../evm/contracts.ts";

/**
 * `upto` by EIP-2612: the payer signs a permit whose spender is the facilitator and whose value is the cap. Settlement
 * sends the permit and moves the actual amount to the payee with transferFrom. The reference packages do not support
 * this form, so it is verified here: fields, signature (viem), nonce, balance, and the permit simulated on chain.
 */
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text as Hex);
const uint = z.union([z.string().regex(/^\d{1,78}$/), z.int().nonnegative()]).transform(BigInt);
const permitPayload = z.object({
  signature: z
    .string()
    .regex(/^0x[0-9a-fA-F]{130}$/)
    .transform((text) => text as Hex),
  authorization: z.object({ from: address, to: address, value: uint, nonce: uint, validBefore: uint }),
});

type Permit = z.infer<typeof permitPayload>;

const usdcAbi = parseAbi(USDC_FUNCTIONS);
const PERMIT_TYPES = {
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;
// The permit must still be valid when its transaction is mined.
const EXPIRY_MARGIN_SECONDS = 6n;

/** Returns whether the payload has this form rather than version 2's Permit2 form. */
export function isPermitPayload(requirements: { scheme: string }, payload: PaymentPayload): boolean {
  return requirements.scheme === "upto" && !("permit2Authorization" in payload.payload);
}

/** Returns the atomic amount of a requirement of either version. */
function amountAtomic(requirements: PaymentRequirements): bigint {
  return BigInt(requirements.amount ?? (requirements as unknown as { maxAmountRequired: string }).maxAmountRequired);
}

/** Verifies a permit against the seller's requirements without a transaction. `payer` is set if the payload can be parsed. */
export async function verifyPermit(
  chain: EvmChain,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Promise<VerifyResponse> {
  const parsed = permitPayload.safeParse(payload.payload);
  if (!parsed.success) return { isValid: false, invalidReason: "invalid_payload" };
  const invalidReason = await refusal(chain, parsed.data, requirements);
  const payer = parsed.data.authorization.from;
  return invalidReason ? { isValid: false, invalidReason, payer } : { isValid: true, payer };
}

async function refusal(
  chain: EvmChain,
  permit: Permit,
  requirements: PaymentRequirements,
): Promise<string | undefined> {
  const { from, to, value, nonce, validBefore } = permit.authorization;
  const { client, network, facilitator } = chain;
  if (requirements.asset.toLowerCase() !== network.usdc.toLowerCase()) return "invalid_upto_evm_payload_asset";
  if (to.toLowerCase() !== facilitator.address.toLowerCase()) return "invalid_upto_evm_payload_spender_mismatch";
  if (validBefore < BigInt(Math.floor(Date.now() / 1000)) + EXPIRY_MARGIN_SECONDS) {
    return "invalid_upto_evm_payload_authorization_valid_before";
  }
  if (value < amountAtomic(requirements)) return "invalid_upto_evm_payload_authorization_value";
  const signed = await verifyTypedData({
    address: from,
    domain: { ...network.usdcDomain, chainId: network.chainId, verifyingContract: network.usdc },
    types: PERMIT_TYPES,
    primaryType: "Permit",
    message: { owner: from, spender: to, value, nonce, deadline: validBefore },
    signature: permit.signature,
  }).catch(() => false);
  if (!signed) return "invalid_upto_evm_payload_signature";
  const read = { address: network.usdc, abi: usdcAbi, args: [from] } as const;
  const [onChainNonce, balance] = await Promise.all([
    client.readContract({ ...read, functionName: "nonces" }),
    client.readContract({ ...read, functionName: "balanceOf" }),
  ]);
  if (onChainNonce !== nonce) return "invalid_upto_evm_payload_authorization_nonce";
  if (balance < amountAtomic(requirements)) return "insufficient_funds";
  const simulated = await client
    .call({ account: facilitator.address, to: network.usdc, data: permitCall(permit) })
    .then(() => true)
    .catch(() => false);
  return simulated ? undefined : "invalid_upto_evm_payload_permit_reverts";
}

function permitCall({ signature, authorization: { from, to, value, validBefore } }: Permit): Hex {
  const { r, s, yParity } = parseSignature(signature);
  return encodeFunctionData({
    abi: usdcAbi,
    functionName: "permit",
    args: [from, to, value, validBefore, 27 + yParity, r, s],
  });
}

const settling = new Set<string>();

/** Sends the permit, then transfers the amount of `requirements` (at most the cap) to `payTo`. One settlement per permit. */
export async function settlePermit(
  chain: EvmChain,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Promise<SettleResponse> {
  const { network } = requirements;
  const failed = (errorReason: string, payer?: string): SettleResponse => ({
    success: false,
    errorReason,
    transaction: "",
    network,
    ...(payer ? { payer } : {}),
  });
  const verified = await verifyPermit(chain, payload, requirements);
  if (!verified.isValid) return failed(verified.invalidReason ?? "invalid_payload", verified.payer);
  const permit = permitPayload.parse(payload.payload);
  const { from, nonce } = permit.authorization;
  const key = `${network}:${from.toLowerCase()}:${nonce}`;
  if (settling.has(key)) return failed("duplicate_settlement", from);
  settling.add(key);
  try {
    const amount = amountAtomic(requirements);
    const transferData = encodeFunctionData({
      abi: usdcAbi,
      functionName: "transferFrom",
      args: [from, requirements.payTo as Hex, amount],
    });
    const permitHash = await chain.facilitator.send({ to: chain.network.usdc, data: permitCall(permit) });
    if ((await chain.waitForReceipt(permitHash)).status !== "success") return failed("permit_reverted", from);
    const transaction = await chain.facilitator.send({ to: chain.network.usdc, data: transferData });
    if ((await chain.waitForReceipt(transaction)).status !== "success")
      return failed("invalid_transaction_state", from);
    return { success: true, transaction, network, payer: from, amount: amount.toString() };
  } finally {
    settling.delete(key);
  }
}
