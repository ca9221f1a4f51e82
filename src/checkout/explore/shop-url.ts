import { InvalidRequestError } from "../../platform/errors.ts";

const LONGEST_URL = 2_048;

/**
 * Validates the merchant URL of an exploration and returns it without its fragment. The egress guard decides whether the
 * destination is allowed.
 * @throws {InvalidRequestError}
 */
export function checkShopUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (!url || text.length > LONGEST_URL || !/^https?:$/.test(url.protocol)) {
    throw new InvalidRequestError("merchantUrl must be an http or https URL.", "merchantUrl");
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidRequestError("merchantUrl must not contain credentials.", "merchantUrl");
  }
  url.hash = "";
  return url.href;
}
