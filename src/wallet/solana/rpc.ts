/** JSON-RPC client of a Solana cluster, with tracing and error conversion. */
import { Connection, SolanaJSONRPCError } from "@solana/web3.js";
import { tracedRpcCall } from "../../platform/observability/instrumentation.ts";
import { ChainUnavailableError } from "../chain.ts";
import type { SolanaNetwork } from "../networks.ts";
import type { SolanaRpc } from "./rpc-client.ts";

const TIMEOUT_MS = 8_000;

export type { SolanaRpc };

export function createSolanaRpc(network: SolanaNetwork, rpcUrl: string): SolanaRpc {
  const connection = new Connection(rpcUrl, {
    commitment: "confirmed",
    // Callers handle HTTP 429 themselves instead of waiting for retries.
    disableRetryOnRateLimit: true,
    httpAgent: false,
    fetch: ((url: string, init: RequestInit) =>
      tracedRpcCall(
        network.name,
        () => methodOf(init),
        () => fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
      )) as unknown as typeof fetch,
  });

  async function request<T>(call: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await call(connection);
    } catch (error) {
      throw toUnavailableError(network, error);
    }
  }

  return {
    network,
    connection,
    request,
    async readFinalized() {
      // The height is read first, so the slot is that of the same block or slightly later.
      const blockHeight = await request((rpc) => rpc.getBlockHeight("finalized"));
      return { blockHeight, slot: await request((rpc) => rpc.getSlot("finalized")) };
    },
  };
}

/** Returns the JSON-RPC method of a serialised request, or `batch`. */
function methodOf({ body }: RequestInit): string {
  const parsed = JSON.parse(String(body)) as { readonly method: string } | readonly object[];
  return "method" in parsed ? parsed.method : "batch";
}

/** Converts an error of the RPC client. Only names and codes are passed on: messages quote the RPC or a proxy. */
export function toUnavailableError(network: SolanaNetwork, error: unknown): ChainUnavailableError {
  if (error instanceof ChainUnavailableError) return error;
  if (error instanceof SolanaJSONRPCError)
    return new ChainUnavailableError(network.name, `JsonRpc${String(error.code)}`);
  return new ChainUnavailableError(network.name, error instanceof Error ? error.name : "UnknownError");
}
