/** A seller and its facilitator for version 1 `upto` payments, whose draws a test controls step by step. */
import {
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  type LocalAccount,
  parseAbi,
  parseSignature,
  publicActions,
} from "viem";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import { facilitatorEvm } from "../../sandbox/identities.ts";
import type { Service } from "../../src/app/service.ts";
import type { Payer } from "../support/satchel.ts";
import { callRpc } from "../support/usdc.ts";

const tokenAbi = parseAbi([
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function transferFrom(address from, address to, uint256 value) returns (bool)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function nonces(address owner) view returns (uint256)",
  "function balanceOf(address owner) view returns (uint256)",
]);
export const PAY_TO = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";

/** A signed permit that the seller holds. */
export interface SellerPermit {
  readonly paymentId: string;
  readonly owner: Hex;
  readonly valueAtomic: bigint;
  readonly nonce: bigint;
  readonly deadline: bigint;
  /** Submits the permit. */
  submit(): Promise<void>;
}

/** Returns a seller whose facilitator is the sandbox's; `network` must be a chain of the sandbox. */
export function createPermitSeller(network: SandboxNetwork, spender: LocalAccount = facilitatorEvm) {
  const wallet = createWalletClient({ account: spender, transport: http(network.rpcUrl) }).extend(publicActions);
  const token = { address: network.usdc as Hex, abi: tokenAbi } as const;

  async function send(data: Hex): Promise<void> {
    const { status } = await wallet.sendTransactionSync({ to: token.address, data, chain: null });
    if (status !== "success") throw new Error("The transaction reverted.");
  }

  return {
    /** Requests a payment with the cap `valueAtomic`. Returns the response's status, and the permit if it was signed. */
    async requestPermit(
      service: Service,
      payer: Payer,
      valueAtomic: bigint,
      { host = "merchant.example", validitySeconds = 60 } = {},
    ): Promise<{ status: number; code: string | null; permit: SellerPermit | null }> {
      const entry = {
        ...{ scheme: "upto", network: "base-sepolia", maxAmountRequired: String(valueAtomic), payTo: PAY_TO },
        ...{ resource: `https://${host}/r`, description: "", mimeType: "", maxTimeoutSeconds: validitySeconds },
        ...{ asset: network.usdc, extra: { ...network.usdcDomain, facilitatorAddress: spender.address } },
      };
      const response = await fetch(`${service.baseUrl}/api/sign-payment`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-service-token": payer.token },
        body: JSON.stringify({
          paymentRequirements: { x402Version: 1, accepts: [entry] },
          requestData: { url: entry.resource },
        }),
      });
      const json = (await response.json()) as {
        error?: string;
        paymentId: string;
        paymentProof: {
          payload: { signature: Hex; authorization: { from: Hex; value: string; nonce: string; validBefore: string } };
        };
      };
      if (response.status !== 200) return { status: response.status, code: json.error ?? null, permit: null };
      const { signature, authorization } = json.paymentProof.payload;
      const { from: owner } = authorization;
      const [value, deadline] = [BigInt(authorization.value), BigInt(authorization.validBefore)];
      const { r, s, yParity } = parseSignature(signature);
      const args = [owner, spender.address, value, deadline, 27 + yParity, r, s] as const;
      const permit = {
        ...{ paymentId: json.paymentId, owner, valueAtomic: value, nonce: BigInt(authorization.nonce), deadline },
        submit: () => send(encodeFunctionData({ abi: tokenAbi, functionName: "permit", args })),
      };
      return { status: 200, code: null, permit };
    },
    draw: (owner: Hex, amountAtomic: bigint) =>
      send(encodeFunctionData({ abi: tokenAbi, functionName: "transferFrom", args: [owner, PAY_TO, amountAtomic] })),
    readAllowance: (owner: Hex) =>
      wallet.readContract({ ...token, functionName: "allowance", args: [owner, spender.address] }),
    readNonce: (owner: Hex) => wallet.readContract({ ...token, functionName: "nonces", args: [owner] }),
    readBalance: (owner: Hex) => wallet.readContract({ ...token, functionName: "balanceOf", args: [owner] }),
    readTime: async () => (await wallet.getBlock()).timestamp,
    /** Mines blocks until everything before is final. */
    finalize: () => callRpc(network.rpcUrl, "anvil_mine", ["0xf"]),
  };
}
