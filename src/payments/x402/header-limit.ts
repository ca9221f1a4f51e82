/** Limit of the payment header. It is known from the offer, so a payment that does not fit is refused before it is signed. */
import { jsonByteLength } from "./json.ts";
import type { JsonObject, TransferMethod } from "./requirement.ts";

/**
 * Maximum length of a payment header. Node's HTTP server accepts 16 KiB for the request line and all headers together
 * (`--max-http-header-size`), and most sellers run on it. 4 KiB remain for the URL and the other headers.
 */
export const MAX_PAYMENT_HEADER_CHARS = 12_288;

/** Upper bounds of what a payment adds to the echoed members: names, authorization, signatures and payment identifier. */
const ADDED_BYTES: Readonly<Record<TransferMethod, number>> = {
  eip3009: 768,
  permit: 768,
  permit2: 1_664,
  solana: 1_664,
};

/**
 * Returns an upper bound of the header's length in characters: Base64 has four for every three bytes of JSON.
 * @param accepted the chosen entry
 * @param sharedBytes size of the other echoed members as JSON
 */
export function boundHeaderChars(method: TransferMethod, accepted: JsonObject, sharedBytes: number): number {
  return 4 * Math.ceil((ADDED_BYTES[method] + jsonByteLength(accepted) + sharedBytes) / 3);
}
