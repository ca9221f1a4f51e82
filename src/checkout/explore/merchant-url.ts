import { InvalidRequestError } from "../../platform/errors.ts";

const MAX_URL_LENGTH = 2_048;

/**
 * Validates the merchant URL of an exploration and returns it without its fragment. The egress guard decides whether the
 * destination is allowed.
 * @throws {InvalidRequestError}
 */
export function checkMerchantUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (!url || text.length > MAX_URL_LENGTH || !/^https?:$/.test(url.protocol)) {
    throw new InvalidRequestError("merchantUrl must be an http or https URL.", "merchantUrl");
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidRequestError("merchantUrl must not contain credentials.", "merchantUrl");
  }
  url.hash = "";
  return url.href;
}
