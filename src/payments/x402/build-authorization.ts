/** Creation of a complete, unsigned authorization from the chosen entry (decisions, "X402"). */
import { randomNonceHex } from "../../platform/ids.ts";
import type { Chains } from "../../wallet/chain.ts";
import type { EvmNetwork } from "../../wallet/networks.ts";
import type { Authorization, PermitAuthorization, StoredAuthorization } from "./authorization.ts";
import { NoAcceptableRequirementError } from "./choice.ts";
import { offersGasSponsoring } from "./extensions.ts";
import { PERMIT2_ADDRESS, PERMIT2_SPENDERS } from "./permit2.ts";
import type { Echo, RefusalReason, Requirement } from "./requirement.ts";
import { buildSolanaTransfer } from "./solana-transfer.ts";

/** `validAfter` lies this far in the past, because a seller whose clock is behind would reject the current time. */
const BACKDATED_SECONDS = 600;
/** Upper limit of the seller's `maxTimeoutSeconds`: funds are reserved for at most an hour. */
const MAX_VALIDITY_SECONDS = 3_600;

export interface Payer {
  readonly evmAddress: `0x${string}`;
  readonly solanaAddress: string;
}

export interface BuildDeps {
  readonly chains: Chains;
  /** Current time; read after the chain has responded, so the time window is current. */
  readonly now: () => Date;
}

/**
 * Creates the authorization: draws the nonce, reads the chain state that the scheme needs, and sets the time window.
 * The result is plain JSON; signing it twice gives the same bytes.
 *
 * @throws {NoAcceptableRequirementError} when the chain state shows that this payer cannot use the entry.
 */
export async function buildAuthorization(
  deps: BuildDeps,
  requirement: Requirement,
  payer: Payer,
): Promise<StoredAuthorization> {
  const { x402Version, scheme, network, echo } = requirement;
  const authorization =
    network.kind === "evm"
      ? await buildEvm(deps, requirement, network, payer.evmAddress)
      : await buildSolana(deps, requirement, payer.solanaAddress);
  return { x402Version, scheme, network: network.name, echo: toStoredEcho(echo), authorization };
}

function toStoredEcho({ network, accepted, resource, extensions }: Echo): StoredAuthorization["echo"] {
  const toText = (member: unknown) => (member === null ? null : JSON.stringify(member));
  return { network, accepted: toText(accepted), resource: toText(resource), extensions: toText(extensions) };
}

async function buildEvm(
  deps: BuildDeps,
  requirement: Requirement,
  network: EvmNetwork,
  payer: `0x${string}`,
): Promise<Authorization> {
  switch (requirement.method) {
    case "eip3009":
      return buildEip3009(deps, requirement, network, payer);
    case "permit":
      if (!requirement.facilitator) throw new Error("A permit needs the spender that chooseRequirement pinned.");
      return buildPermit(deps, requirement, network, payer, requirement.facilitator);
    case "permit2":
      return buildPermit2(deps, requirement, network, payer);
    case "solana":
      throw new Error("A Solana transfer cannot be created on an EVM chain.");
  }
}

function buildEip3009(
  deps: BuildDeps,
  requirement: Requirement,
  network: EvmNetwork,
  payer: `0x${string}`,
): Authorization {
  const { validAfter, validBefore } = timeWindow(deps, requirement);
  return {
    kind: "eip3009",
    ...token(network),
    from: payer,
    to: requirement.payTo as `0x${string}`,
    valueAtomic: requirement.amountAtomic.toString(),
    validAfter,
    validBefore,
    nonce: `0x${randomNonceHex()}`,
  };
}

async function buildPermit(
  deps: BuildDeps,
  requirement: Requirement,
  network: EvmNetwork,
  owner: `0x${string}`,
  spender: `0x${string}`,
): Promise<PermitAuthorization> {
  const nonce = await deps.chains.evm(network.name).permitNonce(network.usdc.address, owner);
  return {
    kind: "permit",
    ...token(network),
    owner,
    spender,
    valueAtomic: requirement.amountAtomic.toString(),
    nonce: nonce.toString(),
    deadline: timeWindow(deps, requirement).validBefore,
  };
}

async function buildPermit2(
  deps: BuildDeps,
  requirement: Requirement,
  network: EvmNetwork,
  payer: `0x${string}`,
): Promise<Authorization> {
  const chain = deps.chains.evm(network.name);
  const allowance = await chain.permit2AllowanceAtomic(network.usdc.address, payer);
  const lacksAllowance = allowance < requirement.amountAtomic;
  if (lacksAllowance && !offersGasSponsoring(requirement.echo.extensions)) {
    throw createUnusableError(
      requirement,
      "permit2_allowance_missing",
      "The wallet has not approved Permit2, and the seller offers no gas-free approval.",
    );
  }
  const permit = lacksAllowance ? await buildPermit(deps, requirement, network, payer, PERMIT2_ADDRESS) : null;
  const { validAfter, validBefore } = timeWindow(deps, requirement);
  return {
    kind: "permit2",
    chainId: network.chainId,
    asset: network.usdc.address,
    from: payer,
    spender: PERMIT2_SPENDERS[requirement.scheme],
    amountAtomic: requirement.amountAtomic.toString(),
    nonce: BigInt(`0x${randomNonceHex()}`).toString(),
    deadline: validBefore,
    witness: {
      to: requirement.payTo as `0x${string}`,
      facilitator: requirement.scheme === "upto" ? requirement.facilitator : null,
      validAfter,
    },
    allowancePermit: permit,
  };
}

async function buildSolana(deps: BuildDeps, requirement: Requirement, payer: string): Promise<Authorization> {
  const { network, asset, payTo, amountAtomic, feePayer, memo } = requirement;
  if (!feePayer) throw new Error("The Solana entry has no fee payer.");
  const chain = deps.chains.solana(network.name);
  const [mint, { blockhash, lastValidBlockHeight }] = await Promise.all([chain.mint(asset), chain.latestBlockhash()]);
  const message = buildSolanaTransfer({ ...mint, payer, feePayer, payTo, asset, amountAtomic, memo, blockhash });
  if (!message) {
    throw createUnusableError(requirement, "fee_payer_conflict", "The fee payer is itself part of the transfer.");
  }
  return {
    kind: "solana",
    payer,
    feePayer,
    payTo,
    asset,
    amountAtomic: amountAtomic.toString(),
    messageBase64: Buffer.from(message).toString("base64"),
    blockhash,
    lastValidBlockHeight,
  };
}

function token(network: EvmNetwork) {
  return { chainId: network.chainId, asset: network.usdc.address, domain: { ...network.usdc.domain } };
}

function timeWindow(deps: BuildDeps, requirement: Requirement): { validAfter: string; validBefore: string } {
  const nowSeconds = Math.floor(deps.now().getTime() / 1_000);
  const validitySeconds = Math.min(requirement.maxTimeoutSeconds, MAX_VALIDITY_SECONDS);
  return {
    validAfter: String(nowSeconds - BACKDATED_SECONDS),
    validBefore: String(nowSeconds + validitySeconds),
  };
}

function createUnusableError(
  requirement: Requirement,
  reason: RefusalReason,
  message: string,
): NoAcceptableRequirementError {
  const considered = { index: requirement.index, chosen: false, reason, message, requirement };
  return new NoAcceptableRequirementError([considered], requirement.echo.accepted ? [requirement.echo.accepted] : []);
}
