/** The bytes by which a passkey knows its account: the UUID's, and nothing personal (WebAuthn level 3, section 14.6.1). */
export function userHandleBytes(accountId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(accountId.replaceAll("-", ""), "hex"));
}

/** The same in base64url, as browsers give it back. */
export function userHandleOf(accountId: string): string {
  return Buffer.from(userHandleBytes(accountId)).toString("base64url");
}
