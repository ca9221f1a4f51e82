/** The client of an agent without Satchel: `fetch`, and `fetch` wrapped by `@x402/fetch` with a key in memory. */
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { NETWORKS } from "../../sandbox/networks.ts";
import { createOffer } from "../harness/offer.ts";
import { serveParent } from "../harness/serve-parent.ts";

const signer = privateKeyToAccount(generatePrivateKey());
const client = new x402Client().register(NETWORKS["base-sepolia"].caip2, new ExactEvmScheme(signer));
const payingFetch = wrapFetchWithPayment(fetch, client);

interface FetchOptions {
  readonly url: string;
  readonly pays: boolean;
  readonly connections: number;
  readonly durationMs: number;
}

/** Each handler returns operations per second. */
serveParent(null, {
  handlers: {
    fetch: ({ url, pays, connections, durationMs }: FetchOptions) =>
      runLanes(connections, durationMs, async () => {
        const response = await (pays ? payingFetch(url) : fetch(url));
        if (response.status !== 200) throw new Error(`${url} responded with ${response.status}. The round failed.`);
        await response.text();
      }),
    createPayload: ({ durationMs }: { durationMs: number }) => {
      const offer = createOffer("http://127.0.0.1/paid");
      return runLanes(1, durationMs, () => client.createPaymentPayload(offer as never));
    },
  },
});

async function runLanes(lanes: number, durationMs: number, work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  let count = 0;
  const lane = async () => {
    while (performance.now() - startedMs < durationMs) {
      await work();
      count++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return count / ((performance.now() - startedMs) / 1_000);
}
