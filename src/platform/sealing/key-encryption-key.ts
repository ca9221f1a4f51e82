/** Wraps data keys: a local key or AWS KMS. */
export interface KeyEncryptionKey {
  readonly id: string;
  wrap(dataKey: Uint8Array, context: string): Promise<Uint8Array<ArrayBuffer>>;
  unwrap(wrapped: Uint8Array, context: string): Promise<Uint8Array<ArrayBuffer>>;
}
