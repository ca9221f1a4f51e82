/**
 * Vault on sealed database rows. Each wallet has its own data key, wrapped by a key-encryption key. The data key seals each
 * private key in a separate box, so a signature opens only the key that it needs.
 *
 * Only data keys are cached, for a limited time. A private key is opened for one signature and then overwritten.
 */
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import secp256k1 from "secp256k1";
import { bytesToHex } from "viem";
import { publicKeyToAddress } from "viem/accounts";
import { encodeBase58 } from "../platform/crypto/base58.ts";
import { createDataKeyCache } from "../platform/crypto/sealing/data-key-cache.ts";
import type { SealedTable } from "../platform/crypto/sealing/rotate.ts";
import { open, SealBrokenError, seal, sealedLength } from "../platform/crypto/sealing/sealed-box.ts";
import { createDataKey, type KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import type { SealedWallet, Vault } from "./vault.ts";

const KEY_BYTES = 32;
const BOX_BYTES = sealedLength(KEY_BYTES);

/** PKCS #8 wrapping of a raw Ed25519 seed (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

type Purpose = "secp256k1" | "ed25519";

/** Binds a wallet's data key to the row id only. The boxes are bound to the id, both addresses and the purpose. */
export const SEALED_WALLETS: SealedTable = { name: "wallets", contextOf: (id) => id };

/** Creates a vault. `kek` seals new wallets, `olderKeks` only open existing ones. */
export function createVault(keks: KeyEncryptionKeys): Vault {
  const dataKeyOf = createDataKeyCache(keks);

  const openKey = async (wallet: SealedWallet, purpose: Purpose): Promise<Uint8Array> => {
    const dataKey = await dataKeyOf(wallet, SEALED_WALLETS.contextOf(wallet.id));
    if (wallet.sealedKeys.length !== 2 * BOX_BYTES) throw new SealBrokenError("The sealed keys have the wrong length.");
    const start = purpose === "secp256k1" ? 0 : BOX_BYTES;
    return open(dataKey, wallet.sealedKeys.subarray(start, start + BOX_BYTES), contextOf(wallet, purpose));
  };

  return {
    async create(id) {
      const { dataKey, ...wrapped } = await createDataKey(keks, SEALED_WALLETS.contextOf(id));
      const evmKey = newSecp256k1Key();
      const seed = randomBytes(KEY_BYTES);
      try {
        const addresses = { id, evmAddress: evmAddressOf(evmKey), solanaAddress: solanaAddressOf(seed) };
        const sealedKeys = new Uint8Array(2 * BOX_BYTES);
        sealedKeys.set(seal(dataKey, evmKey, contextOf(addresses, "secp256k1")));
        sealedKeys.set(seal(dataKey, seed, contextOf(addresses, "ed25519")), BOX_BYTES);
        return { ...addresses, sealedKeys, ...wrapped };
      } finally {
        for (const bytes of [evmKey, seed]) bytes.fill(0);
      }
    },

    async signDigest(wallet, digest) {
      if (digest.length !== 32) throw new RangeError("The digest must have 32 bytes. Nothing was signed.");
      const key = await openKey(wallet, "secp256k1");
      try {
        const { signature, recid } = secp256k1.ecdsaSign(digest, key);
        return `0x${Buffer.from(signature).toString("hex")}${recid === 0 ? "1b" : "1c"}`;
      } finally {
        key.fill(0);
      }
    },

    async signMessage(wallet, message) {
      const seed = await openKey(wallet, "ed25519");
      try {
        return new Uint8Array(sign(null, message, ed25519Key(seed)));
      } finally {
        seed.fill(0);
      }
    },
  };
}

/** Returns the context that binds a box to its row and purpose. Bytes moved to another wallet, address or curve do not open. */
function contextOf(wallet: Pick<SealedWallet, "id" | "evmAddress" | "solanaAddress">, purpose: Purpose): string {
  return ["wallet", purpose, wallet.id, wallet.evmAddress.toLowerCase(), wallet.solanaAddress].join("\0");
}

function newSecp256k1Key(): Buffer {
  for (;;) {
    const key = randomBytes(KEY_BYTES);
    if (secp256k1.privateKeyVerify(key)) return key;
  }
}

function evmAddressOf(key: Uint8Array): `0x${string}` {
  return publicKeyToAddress(bytesToHex(secp256k1.publicKeyCreate(key, false)));
}

function ed25519Key(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([PKCS8_ED25519, seed]);
  try {
    return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  } finally {
    der.fill(0);
  }
}

function solanaAddressOf(seed: Uint8Array): string {
  const spki = createPublicKey(ed25519Key(seed)).export({ format: "der", type: "spki" });
  return encodeBase58(spki.subarray(spki.length - KEY_BYTES));
}
