import { fireHttp } from "./load.ts";
import { offerFor } from "./offer.ts";
import type { BenchService } from "./service.ts";

const URL_PAID_FOR = "http://127.0.0.1:9/paid";

/** `POST /api/sign-payment` on each connection, with the accounts of `tokenHeaders` in turn; answers how many a second. */
export function signPayments(
  { baseUrl }: Pick<BenchService, "baseUrl">,
  tokenHeaders: readonly Record<string, string>[],
  connections: number,
  durationMs: number,
): Promise<number> {
  return fireHttp(
    {
      url: `${baseUrl}/api/sign-payment`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ paymentRequirements: offerFor(URL_PAID_FOR), requestData: { url: URL_PAID_FOR } }),
      headersByConnection: tokenHeaders,
      connections,
    },
    durationMs,
  );
}
