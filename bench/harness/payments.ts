import { runHttpLoad } from "./load.ts";
import { createOffer } from "./offer.ts";
import type { BenchService } from "./service.ts";

const RESOURCE_URL = "http://127.0.0.1:9/paid";

/** Sends `POST /api/sign-payment` on each connection, with the tokens assigned round-robin. @returns payments per second */
export function signPayments(
  { baseUrl }: Pick<BenchService, "baseUrl">,
  tokenHeaders: readonly Record<string, string>[],
  connections: number,
  durationMs: number,
): Promise<number> {
  return runHttpLoad(
    {
      url: `${baseUrl}/api/sign-payment`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ paymentRequirements: createOffer(RESOURCE_URL), requestData: { url: RESOURCE_URL } }),
      headersByConnection: tokenHeaders,
      connections,
    },
    durationMs,
  );
}
