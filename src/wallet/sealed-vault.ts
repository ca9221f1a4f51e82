/**
 * Vault on sealed database rows. Each wallet has its own data key, wrapped by a key-encryption key. The data key seals each
 * private key in a separate box, so a signature opens only the key that it needs.
 *
 * Only data keys are cached, for a limited time. A private key is opened for one signature and then overwritten.
 */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import secp256k1 from "secp256k1";
import { bytesToHex } from "viem";
import { publicKeyToAddress } from "viem/accounts";
import { encodeBase58 } from "../platform/crypto/base58.ts";
import { createDataKeyCache } from "../platform/crypto/sealing/data-key-cache.ts";
import { open, reseal, SealBrokenError, seal, sealedLength } from "../platform/crypto/sealing/sealed-box.ts";
import { type AccountTable, accountContext, type UnboundRow } from "../platform/crypto/sealing/sealed-table.ts";
import { createDataKey, type KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import type { SealedWallet, Vault } from "./vault.ts";

const KEY_BYTES = 32;
const BOX_BYTES = sealedLength(KEY_BYTES);

/** PKCS #8 wrapping of a raw Ed25519 seed (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

type Purpose = "secp256k1" | "ed25519";

/** The data key is bound to the row and account. The boxes are bound to both addresses and the purpose as well. */
export const SEALED_WALLETS: AccountTable = {
  name: "wallets",
  hasAccounts: true,
  contextOf: (row) => accountContext("wallet", row),
  former: {
    boxColumn: "sealed_keys",
    contextColumns: `evm_address AS "evmAddress", solana_address AS "solanaAddress"`,
    contextOf: (id) => id,
    rebox: resealKeys,
  },
};

/** Creates a vault. `kek` seals new wallets, `olderKeks` only open existing ones. */
export function createVault(keks: KeyEncryptionKeys): Vault {
  const dataKeyOf = createDataKeyCache(keks);

  const openKey = async (wallet: SealedWallet, purpose: Purpose): Promise<Uint8Array> => {
    const dataKey = await dataKeyOf(wallet, SEALED_WALLETS.contextOf(wallet));
    return open(dataKey, selectBox(wallet.sealedKeys, purpose), contextOf(wallet, purpose));
  };

  return {
    async create(id, accountId) {
      const { dataKey, ...wrapped } = await createDataKey(keks, SEALED_WALLETS.contextOf({ id, accountId }));
      const evmKey = newSecp256k1Key();
      const seed = randomBytes(KEY_BYTES);
      try {
        const identity = { id, accountId, evmAddress: evmAddressOf(evmKey), solanaAddress: solanaAddressOf(seed) };
        const sealedKeys = joinBoxes({
          secp256k1: seal(dataKey, evmKey, contextOf(identity, "secp256k1")),
          ed25519: seal(dataKey, seed, contextOf(identity, "ed25519")),
        });
        return { ...identity, sealedKeys, ...wrapped, isAccountBound: true };
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

    async deriveIdentifier(wallet, text) {
      const dataKey = await dataKeyOf(wallet, SEALED_WALLETS.contextOf(wallet));
      const key = new Uint8Array(hkdfSync("sha256", dataKey, "", "satchel wallet identifier", KEY_BYTES));
      return new Uint8Array(createHmac("sha256", key).update(text).digest());
    },
  };
}

type WalletIdentity = Pick<SealedWallet, "id" | "accountId"> & {
  readonly evmAddress: string;
  readonly solanaAddress: string;
};

/**
 * Returns the context that binds a box to its row, account and purpose. Bytes moved to another wallet, account, address or
 * curve do not open.
 */
function contextOf(wallet: WalletIdentity, purpose: Purpose): string {
  return [accountContext(`wallet:${purpose}`, wallet), wallet.evmAddress.toLowerCase(), wallet.solanaAddress].join(
    "\0",
  );
}

/** Returns the context of a box in version 0.1.0. */
function formerContextOf({ id, evmAddress, solanaAddress }: WalletIdentity, purpose: Purpose): string {
  return ["wallet", purpose, id, evmAddress.toLowerCase(), solanaAddress].join("\0");
}

/** Seals both keys of a wallet of version 0.1.0 for its account. @throws {SealBrokenError} */
function resealKeys(dataKey: KeyObject, row: UnboundRow): Uint8Array<ArrayBuffer> {
  const { id, accountId, evmAddress = "", solanaAddress = "" } = row;
  const identity = { id, accountId, evmAddress, solanaAddress };
  const resealBox = (purpose: Purpose) =>
    reseal(dataKey, selectBox(row.box, purpose), formerContextOf(identity, purpose), contextOf(identity, purpose));
  return joinBoxes({ secp256k1: resealBox("secp256k1"), ed25519: resealBox("ed25519") });
}

/** @throws {SealBrokenError} if the bytes do not have the length of two boxes */
function selectBox(sealedKeys: Uint8Array, purpose: Purpose): Uint8Array {
  if (sealedKeys.length !== 2 * BOX_BYTES) throw new SealBrokenError("The sealed keys have the wrong length.");
  const start = purpose === "secp256k1" ? 0 : BOX_BYTES;
  return sealedKeys.subarray(start, start + BOX_BYTES);
}

function joinBoxes(boxes: Readonly<Record<Purpose, Uint8Array>>): Uint8Array<ArrayBuffer> {
  const sealedKeys = new Uint8Array(2 * BOX_BYTES);
  sealedKeys.set(boxes.secp256k1);
  sealedKeys.set(boxes.ed25519, BOX_BYTES);
  return sealedKeys;
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
