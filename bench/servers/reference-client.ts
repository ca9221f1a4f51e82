/** What an agent would run by itself: `fetch`, and the same wrapped by `@x402/fetch` with a key in memory. */
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { NETWORKS } from "../../sandbox/networks.ts";
import { answerParent } from "../harness/answer-parent.ts";
import { offerFor } from "../harness/offer.ts";

const signer = privateKeyToAccount(generatePrivateKey());
const client = new x402Client().register(NETWORKS["base-sepolia"].caip2, new ExactEvmScheme(signer));
const payingFetch = wrapFetchWithPayment(fetch, client);

interface FetchOrder {
  readonly url: string;
  readonly pays: boolean;
  readonly connections: number;
  readonly durationMs: number;
}

/** Each answers how many a second. */
answerParent(null, {
  handlers: {
    fetch: ({ url, pays, connections, durationMs }: FetchOrder) =>
      keepBusy(connections, durationMs, async () => {
        const response = await (pays ? payingFetch(url) : fetch(url));
        if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
        await response.text();
      }),
    createPayload: ({ durationMs }: { durationMs: number }) => {
      const offer = offerFor("http://127.0.0.1/paid");
      return keepBusy(1, durationMs, () => client.createPaymentPayload(offer as never));
    },
  },
});

async function keepBusy(lanes: number, durationMs: number, work: () => Promise<unknown>): Promise<number> {
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
