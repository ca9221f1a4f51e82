import { InvalidRequestError } from "../../platform/errors.ts";

const LONGEST_URL = 2_048;

/**
 * A page of the shop that is to be explored, as it was sent but for its fragment. Where it leads is for the egress guard to say.
 * @throws {InvalidRequestError}
 */
export function checkShopUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (!url || text.length > LONGEST_URL || !/^https?:$/.test(url.protocol)) {
    throw new InvalidRequestError("merchantUrl must be an http or https address.", "merchantUrl");
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidRequestError("merchantUrl may not carry credentials.", "merchantUrl");
  }
  url.hash = "";
  return url.href;
}
