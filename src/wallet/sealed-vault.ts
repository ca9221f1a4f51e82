/**
 * The vault over sealed rows. Each wallet has a data key of its own, wrapped by a key-encryption key; under the data key
 * lie two boxes, so that a signature opens the one key it needs and the other stays closed.
 *
 * Only unwrapped data keys are kept, for a short while and not many, so that a remote key-encryption key is not asked
 * for every signature. They are KeyObjects: outside the JavaScript heap, and erased by OpenSSL when dropped. Private keys are
 * opened for one signature and overwritten right after it.
 */
import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { LRUCache } from "lru-cache";
import secp256k1 from "secp256k1";
import { bytesToHex } from "viem";
import { publicKeyToAddress } from "viem/accounts";
import { encodeBase58 } from "../platform/base58.ts";
import { open, SealBrokenError, seal, sealedLength } from "../platform/sealing/sealed-box.ts";
import { type KeyEncryptionKeys, rewrapDataKey, unwrapDataKey } from "../platform/sealing/wrapped-key.ts";
import type { SealedWallet, Vault } from "./vault.ts";

const KEY_BYTES = 32;
const BOX_BYTES = sealedLength(KEY_BYTES);
const CACHED_DATA_KEYS = 10_000;
const CACHE_TTL_MS = 5 * 60_000;

/** PKCS #8 wrapping of a raw Ed25519 seed (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

type Purpose = "secp256k1" | "ed25519";

/** `kek` seals new wallets; `olderKeks` only open what was sealed before (see `rewrap`). */
export function createVault(keks: KeyEncryptionKeys): Vault {
  const { kek } = keks;
  const dataKeys = new LRUCache<string, Promise<KeyObject>>({ max: CACHED_DATA_KEYS, ttl: CACHE_TTL_MS });

  const dataKeyOf = (wallet: SealedWallet): Promise<KeyObject> => {
    // The wrapped bytes are part of the name: a tampered row finds nothing here and fails to unwrap.
    const name = `${wallet.kekId}\0${wallet.id}\0${Buffer.from(wallet.wrappedDataKey).toString("base64")}`;
    const cached = dataKeys.get(name);
    if (cached) return cached;
    const loading = (async () => importSecret(await unwrapDataKey(keks, wallet, wallet.id)))();
    dataKeys.set(name, loading);
    loading.catch(() => dataKeys.peek(name) === loading && dataKeys.delete(name));
    return loading;
  };

  const openKey = async (wallet: SealedWallet, purpose: Purpose): Promise<Uint8Array> => {
    const dataKey = await dataKeyOf(wallet);
    if (wallet.sealedKeys.length !== 2 * BOX_BYTES) throw new SealBrokenError("The sealed keys have an unknown form.");
    const start = purpose === "secp256k1" ? 0 : BOX_BYTES;
    return open(dataKey, wallet.sealedKeys.subarray(start, start + BOX_BYTES), contextOf(wallet, purpose));
  };

  return {
    async create(id) {
      const dataKey = randomBytes(KEY_BYTES);
      const evmKey = newSecp256k1Key();
      const seed = randomBytes(KEY_BYTES);
      try {
        const wrappedDataKey = await kek.wrap(dataKey, id);
        const addresses = { id, evmAddress: evmAddressOf(evmKey), solanaAddress: solanaAddressOf(seed) };
        const secret = createSecretKey(dataKey);
        const sealedKeys = new Uint8Array(2 * BOX_BYTES);
        sealedKeys.set(seal(secret, evmKey, contextOf(addresses, "secp256k1")));
        sealedKeys.set(seal(secret, seed, contextOf(addresses, "ed25519")), BOX_BYTES);
        return { ...addresses, sealedKeys, wrappedDataKey, kekId: kek.id };
      } finally {
        for (const bytes of [dataKey, evmKey, seed]) bytes.fill(0);
      }
    },

    async signDigest(wallet, digest) {
      if (digest.length !== 32) throw new RangeError("A digest has 32 bytes.");
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

    rewrap: (wallet) => rewrapDataKey(keks, wallet, wallet.id),
  };
}

/** Binds a box to its row and its use: bytes moved to another wallet, address or curve do not open. */
function contextOf(wallet: Pick<SealedWallet, "id" | "evmAddress" | "solanaAddress">, purpose: Purpose): string {
  return ["wallet", purpose, wallet.id, wallet.evmAddress.toLowerCase(), wallet.solanaAddress].join("\0");
}

function importSecret(bytes: Uint8Array): KeyObject {
  const secret = createSecretKey(bytes);
  bytes.fill(0);
  return secret;
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
