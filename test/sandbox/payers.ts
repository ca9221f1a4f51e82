import { randomBytes } from "node:crypto";
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from "@solana/kit";
import { toClientEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { type Network, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import { ExactSvmSchemeV1 } from "@x402/svm/exact/v1/client";
import { createPublicClient, http, type PublicClient, parseAbi } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { NETWORKS } from "../../sandbox/networks.ts";

/** New payer with the reference clients of both X402 versions for each started network. */
export interface Payer {
  evm: PrivateKeyAccount;
  solana: KeyPairSigner;
  /** Returns a `fetch` that pays 402 responses on one network and passes on all others. */
  fetchOn(network: keyof typeof NETWORKS): typeof fetch;
}

export async function createPayer(sandbox: SandboxEndpoints): Promise<Payer> {
  const evm = privateKeyToAccount(generatePrivateKey());
  const solana = await createKeyPairSignerFromPrivateKeyBytes(randomBytes(32));
  return {
    evm,
    solana,
    fetchOn(name) {
      const network = NETWORKS[name];
      const rpcUrl = sandbox.networks[name]?.rpcUrl ?? "";
      const client = new x402Client().setSpendControls(false);
      if (network.kind === "evm") {
        const signer = toClientEvmSigner(evm, createEvmClient(sandbox, name) as never);
        client.register(network.caip2, new ExactEvmScheme(signer));
        client.register(network.caip2, new UptoEvmScheme(signer, { rpcUrl }));
        client.registerV1(name, new ExactEvmSchemeV1(signer));
      } else {
        client.register(network.caip2 as Network, new ExactSvmScheme(solana, { rpcUrl }));
        client.registerV1(name, new ExactSvmSchemeV1(solana, { rpcUrl }));
      }
      return wrapFetchWithPayment(fetch, client) as typeof fetch;
    },
  };
}

export function createEvmClient(sandbox: SandboxEndpoints, name: keyof typeof NETWORKS): PublicClient {
  return createPublicClient({ transport: http(sandbox.networks[name]?.rpcUrl) });
}

/** Returns the USDC balance of an address in atomic units, read from the chain. */
export async function readUsdcBalance(
  sandbox: SandboxEndpoints,
  name: keyof typeof NETWORKS,
  owner: string,
): Promise<bigint> {
  const network = NETWORKS[name];
  if (network.kind === "evm") {
    return createEvmClient(sandbox, name).readContract({
      address: network.usdc,
      abi: parseAbi(["function balanceOf(address) view returns (uint256)"]),
      functionName: "balanceOf",
      args: [owner as `0x${string}`],
    });
  }
  const accounts = await callSolanaRpc<{ value: { account: { data: ParsedTokenAccount } }[] }>(
    sandbox,
    name,
    "getTokenAccountsByOwner",
    [owner, { mint: network.usdc }, { encoding: "jsonParsed" }],
  );
  return accounts.value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

interface ParsedTokenAccount {
  parsed: { info: { tokenAmount: { amount: string } } };
}

export async function callSolanaRpc<T>(
  sandbox: SandboxEndpoints,
  name: keyof typeof NETWORKS,
  method: string,
  params: unknown[],
): Promise<T> {
  const response = await postJson(sandbox.networks[name]?.rpcUrl ?? "", { jsonrpc: "2.0", id: 1, method, params });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

export function postJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/** Funds a payer with USDC on each started network. */
export async function fund(sandbox: SandboxEndpoints, payer: Payer, usdcAtomic = "1000000"): Promise<void> {
  const response = await postJson(`${sandbox.adminUrl}/fund`, {
    evmAddress: payer.evm.address,
    solanaAddress: payer.solana.address,
    usdcAtomic,
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Decodes the receipt header of X402 version 1 or 2. */
export function decodeReceipt(response: Response): {
  success: boolean;
  transaction: string;
  network: string;
  payer: string;
} {
  const header = response.headers.get("payment-response") ?? response.headers.get("x-payment-response") ?? "";
  return JSON.parse(Buffer.from(header, "base64").toString("utf8"));
}
