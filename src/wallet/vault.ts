/** The only place where private keys exist in clear, and only for the time of one signature. */

/** What the database keeps of a wallet. Useless without the key-encryption key. */
export interface SealedWallet {
  readonly id: string;
  readonly evmAddress: `0x${string}`;
  /** Base58 Ed25519 public key. */
  readonly solanaAddress: string;
  readonly sealedKeys: Uint8Array<ArrayBuffer>;
  readonly wrappedDataKey: Uint8Array<ArrayBuffer>;
  readonly kekId: string;
}

export interface Vault {
  /** Generates both keys and seals them; `id` binds the sealed bytes to their row (additional authenticated data). */
  create(id: string): Promise<SealedWallet>;
  /** A recoverable signature of a 32-byte digest: 65 bytes r ‖ s ‖ v (v = 27 or 28), low s (EIP-2), deterministic (RFC 6979). */
  signDigest(wallet: SealedWallet, digest: Uint8Array): Promise<`0x${string}`>;
  /** An Ed25519 signature (RFC 8032), 64 bytes, deterministic. */
  signMessage(wallet: SealedWallet, message: Uint8Array): Promise<Uint8Array>;
}
