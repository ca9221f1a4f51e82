/** The vault interface. Only the vault holds private keys in plaintext, each for the duration of one signature. */

/** A wallet as stored in the database. Its keys cannot be opened without the key-encryption key. */
export interface SealedWallet {
  readonly id: string;
  /** Null for the treasury's wallet. */
  readonly accountId: string | null;
  readonly evmAddress: `0x${string}`;
  /** Base58 Ed25519 public key. */
  readonly solanaAddress: string;
  readonly sealedKeys: Uint8Array<ArrayBuffer>;
  readonly wrappedDataKey: Uint8Array<ArrayBuffer>;
  readonly kekId: string;
}

/** Columns of a new wallet. */
export type NewWallet = SealedWallet & { readonly isAccountBound: true };

export interface Vault {
  /**
   * Generates and seals both keys. They open only in the row `id`, and only while it belongs to the account (additional
   * authenticated data). Account null: the treasury.
   */
  create(id: string, accountId: string | null): Promise<NewWallet>;
  /**
   * Signs a 32-byte digest with secp256k1. Returns a recoverable signature of 65 bytes, r ‖ s ‖ v (v = 27 or 28), with low s
   * (EIP-2), deterministic (RFC 6979).
   */
  signDigest(wallet: SealedWallet, digest: Uint8Array): Promise<`0x${string}`>;
  /** Signs a message with Ed25519 (RFC 8032). Returns 64 bytes. */
  signMessage(wallet: SealedWallet, message: Uint8Array): Promise<Uint8Array>;
  /**
   * Returns HMAC-SHA256 (32 bytes) of a text under a key derived from the wallet's data key (HKDF, RFC 5869). The result is the
   * same as long as the wallet exists, and reveals neither the text nor a key.
   */
  deriveIdentifier(wallet: SealedWallet, text: string): Promise<Uint8Array>;
}
