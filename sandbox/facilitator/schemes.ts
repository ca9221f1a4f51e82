import { createSolanaRpc } from "@solana/kit";
import { x402Facilitator } from "@x402/core/facilitator";
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/facilitator";
import { UptoEvmScheme } from "@x402/evm/upto/facilitator";
import { SettlementCache, toFacilitatorSvmSigner } from "@x402/svm";
import { ExactSvmScheme } from "@x402/svm/exact/facilitator";
import { ExactSvmSchemeV1 } from "@x402/svm/exact/v1/facilitator";
import type { EvmChain } from "../evm/chain.ts";
import { facilitatorSolana } from "../identities.ts";
import type { SolanaChain } from "../solana/chain.ts";
import { facilitatorEvmSigner } from "./evm-signer.ts";
import { isPermitPayload, settlePermit, verifyPermit } from "./permit.ts";

/** The operations of a facilitator. Networks are short names (version 1) or CAIP-2 ids (version 2). */
export interface Facilitator {
  supported(): unknown;
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse>;
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>;
}

/** Creates a facilitator with the reference packages' schemes and `upto` by EIP-2612, for the started chains. */
export function createFacilitator(evmChains: EvmChain[], solanaChains: SolanaChain[]): Facilitator {
  const reference = new x402Facilitator();
  // The facilitator submits a payer's EIP-2612 permit for Permit2 with the first payment that needs it.
  reference.registerExtension({ key: "eip2612GasSponsoring" });
  const permitChains = new Map<string, EvmChain>();
  for (const chain of evmChains) {
    const { name, caip2 } = chain.network;
    const signer = facilitatorEvmSigner(chain);
    reference.register(caip2, new ExactEvmScheme(signer));
    reference.register(caip2, new UptoEvmScheme(signer));
    reference.registerV1(name as never, new ExactEvmSchemeV1(signer));
    permitChains.set(name, chain).set(caip2, chain);
  }
  const aliases = new Map<string, string>();
  for (const { network, rpcUrl } of solanaChains) {
    const rpc = createSolanaRpc(rpcUrl);
    const signer = toFacilitatorSvmSigner(facilitatorSolana, { [network.caip2]: rpc, [network.name]: rpc } as never);
    // One cache for both versions, so a transaction cannot settle once in each.
    const settled = new SettlementCache();
    reference.register(network.caip2, new ExactSvmScheme(signer, settled));
    reference.registerV1(network.name as never, new ExactSvmSchemeV1(signer, settled));
    aliases.set(network.caip2Alias, network.caip2);
  }

  /** The reference packages identify Solana only by its genesis hash. */
  function canonical(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
  ): [PaymentPayload, PaymentRequirements] {
    const caip2 = aliases.get(requirements.network);
    if (!caip2) return [payload, requirements];
    const network = caip2 as PaymentRequirements["network"];
    return [
      { ...payload, accepted: { ...payload.accepted, network } },
      { ...requirements, network },
    ];
  }

  return {
    supported() {
      const { kinds, extensions, signers } = reference.getSupported();
      const permitKinds = evmChains.map(({ network, facilitator }) => ({
        x402Version: 1,
        scheme: "upto",
        network: network.name,
        extra: { facilitatorAddress: facilitator.address },
      }));
      const aliasKinds = kinds.flatMap((kind) =>
        [...aliases].flatMap(([alias, caip2]) => (kind.network === caip2 ? [{ ...kind, network: alias }] : [])),
      );
      return { kinds: [...kinds, ...permitKinds, ...aliasKinds], extensions, signers };
    },
    verify(payload, requirements) {
      const chain = permitChains.get(requirements.network);
      if (chain && isPermitPayload(requirements, payload)) return verifyPermit(chain, payload, requirements);
      return reference.verify(...canonical(payload, requirements));
    },
    async settle(payload, requirements) {
      const chain = permitChains.get(requirements.network);
      if (chain && isPermitPayload(requirements, payload)) return settlePermit(chain, payload, requirements);
      const settled = await reference.settle(...canonical(payload, requirements));
      return { ...settled, network: requirements.network };
    },
  };
}
