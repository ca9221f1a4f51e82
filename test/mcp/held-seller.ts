/** A seller that withholds its first response to a payment. */
import { openTarget, respondWith402 } from "../payments/purchase-token.ts";

export interface HeldSeller {
  readonly url: string;
  /** The payments received, repeated ones several times. */
  readonly payments: readonly string[];
  /** Resolves when the first payment is received. */
  readonly paid: Promise<void>;
  /** Sends the withheld response. */
  release(): void;
}

/** Opens a seller of one price. Its responses are `sold`. */
export async function openHeldSeller(): Promise<HeldSeller> {
  const paid = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let count = 0;
  const { origin, payments } = await openTarget(async (_request, response, isPaid) => {
    if (!isPaid) return respondWith402(response);
    paid.resolve();
    if (++count === 1) await held.promise;
    response.writeHead(200, { "content-type": "text/plain" }).end("sold");
  });
  return { url: origin, payments, paid: paid.promise, release: () => held.resolve() };
}
