/**
 * Return paths of outgoing email. The envelope sender names one delivery (variable envelope return path, VERP), so a report to it needs no
 * other evidence. An HMAC proves that this service issued it.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";

const KEY_BYTES = 8;
/** A guess succeeds with a probability of 2^-80. The local part remains below 64 octets (RFC 5321 section 4.5.3.1.1). */
const MAC_BYTES = 10;
/** Case-insensitive, because some mail servers change the case of the local part. */
const RETURN_PATH = new RegExp(
  String.raw`^[^@+]+\+b-([0-9a-f]{${KEY_BYTES * 2}})([0-9a-f]{${MAC_BYTES * 2}})@[^@]+$`,
  "i",
);

/** Returns an HMAC of the text under a key of the account. */
export type DeriveIdentifier = (accountId: string, text: string) => Promise<Uint8Array>;

interface Owner {
  readonly accountId: string;
  readonly address: string;
}

/** Returns a new key that identifies a delivery in its return path. */
export function createReturnKey(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

/** Returns the return path of a delivery: the mailbox's address with the subaddress `b-<key><HMAC>`. */
export async function formatReturnPath(derive: DeriveIdentifier, mailbox: Owner, returnKey: string): Promise<string> {
  const at = mailbox.address.lastIndexOf("@");
  const mac = (await computeMac(derive, mailbox.accountId, returnKey)).toString("hex");
  return `${mailbox.address.slice(0, at)}+b-${returnKey}${mac}${mailbox.address.slice(at)}`;
}

/** Returns the key in a return path of the account; null for any other address. */
export async function readReturnPath(
  derive: DeriveIdentifier,
  accountId: string,
  address: string,
): Promise<string | null> {
  const [, key, mac] = RETURN_PATH.exec(address)?.map((part) => part.toLowerCase()) ?? [];
  if (key === undefined || mac === undefined) return null;
  const expected = await computeMac(derive, accountId, key);
  return timingSafeEqual(Buffer.from(mac, "hex"), expected) ? key : null;
}

/** Returns whether an address has the form of a return path, valid or not. */
export function isReturnPath(address: string): boolean {
  return RETURN_PATH.test(address);
}

async function computeMac(derive: DeriveIdentifier, accountId: string, returnKey: string): Promise<Buffer> {
  return Buffer.from(await derive(accountId, `mail return path ${returnKey}`)).subarray(0, MAC_BYTES);
}
