/** One Solana cluster's JSON-RPC: the connection, and what every reading of it has in common. */
import { Connection, SolanaJSONRPCError } from "@solana/web3.js";
import { tracedRpcCall } from "../../platform/observability/instrumentation.ts";
import { ChainUnavailableError } from "../chain.ts";
import type { SolanaNetwork } from "../networks.ts";

const TIMEOUT_MS = 8_000;

export interface SolanaRpc {
  readonly network: SolanaNetwork;
  /** Reads at `confirmed` unless told otherwise. Use it inside `ask`. */
  readonly connection: Connection;
  /** Runs `question`; any failure of the RPC becomes `ChainUnavailableError`. */
  ask<T>(question: (connection: Connection) => Promise<T>): Promise<T>;
  /** Where the chain can no longer be replaced. */
  finalized(): Promise<{ readonly slot: number; readonly blockHeight: number }>;
}

export function createSolanaRpc(network: SolanaNetwork, rpcUrl: string): SolanaRpc {
  const connection = new Connection(rpcUrl, {
    commitment: "confirmed",
    // A refusal for too many requests is the caller's to know, not to wait for.
    disableRetryOnRateLimit: true,
    httpAgent: false,
    fetch: ((url: string, init: RequestInit) =>
      tracedRpcCall(
        network.name,
        () => methodOf(init),
        () => fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
      )) as unknown as typeof fetch,
  });

  async function ask<T>(question: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await question(connection);
    } catch (error) {
      throw unavailable(network, error);
    }
  }

  return {
    network,
    connection,
    ask,
    async finalized() {
      // Height before slot: the slot then is that of the block, or a little later.
      const blockHeight = await ask((rpc) => rpc.getBlockHeight("finalized"));
      return { blockHeight, slot: await ask((rpc) => rpc.getSlot("finalized")) };
    },
  };
}

/** What a request asks for, of the JSON-RPC that the client has made of it. */
function methodOf({ body }: RequestInit): string {
  const call = JSON.parse(String(body)) as { readonly method: string } | readonly object[];
  return "method" in call ? call.method : "batch";
}

/** Only names and codes go on: messages of the RPC client quote what the RPC, or a proxy before it, said. */
export function unavailable(network: SolanaNetwork, error: unknown): ChainUnavailableError {
  if (error instanceof ChainUnavailableError) return error;
  if (error instanceof SolanaJSONRPCError)
    return new ChainUnavailableError(network.name, `JsonRpc${String(error.code)}`);
  return new ChainUnavailableError(network.name, error instanceof Error ? error.name : "UnknownError");
}
