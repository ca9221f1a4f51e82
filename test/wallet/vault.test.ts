import { createPublicKey, randomBytes, randomUUID, verify } from "node:crypto";
import { inspect } from "node:util";
import { PublicKey } from "@solana/web3.js";
import fc from "fast-check";
import secp256k1 from "secp256k1";
import { hexToBytes, isAddress, recoverAddress } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { localKek } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import { SealBrokenError } from "../../src/platform/crypto/sealing/sealed-box.ts";
import type { KeyEncryptionKey } from "../../src/platform/crypto/sealing/wrapped-key.ts";
import { rewrapDataKey, UnknownKekError } from "../../src/platform/crypto/sealing/wrapped-key.ts";
import { createVault, SEALED_WALLETS } from "../../src/wallet/sealed-vault.ts";
import type { SealedWallet } from "../../src/wallet/vault.ts";

const kek = localKek(randomBytes(32), "local:1");
const vault = createVault({ kek });
const digest = randomBytes(32);
const ACCOUNT = randomUUID();
const OTHER_ACCOUNT = randomUUID();
let wallet: SealedWallet;
let other: SealedWallet;

beforeAll(async () => {
  [wallet, other] = await Promise.all([vault.create("wal_1", ACCOUNT), vault.create("wal_2", OTHER_ACCOUNT)]);
});

/** Checks that both keys cannot be used, even by a vault that has the correct data key in its cache. */
async function expectUnopenable(row: SealedWallet, error: unknown = SealBrokenError) {
  for (const each of [vault, createVault({ kek })]) {
    await expect(each.signDigest(row, digest)).rejects.toThrow(error as ErrorConstructor);
    await expect(each.signMessage(row, digest)).rejects.toThrow(error as ErrorConstructor);
  }
}

function flipBit(bytes: Uint8Array, at: number, bit: number): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

describe("signatures", () => {
  it("recover to the wallet's address, have a low s and are deterministic", async () => {
    expect(isAddress(wallet.evmAddress, { strict: true })).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (hash) => {
        const signature = await vault.signDigest(wallet, hash);
        expect(await recoverAddress({ hash, signature })).toBe(wallet.evmAddress);
        expect(await vault.signDigest(wallet, hash)).toBe(signature);
        const compact = hexToBytes(signature).subarray(0, 64);
        expect(secp256k1.signatureNormalize(Uint8Array.from(compact))).toEqual(Uint8Array.from(compact));
      }),
      { numRuns: 50 },
    );
  });

  it("verify under the wallet's Solana address", async () => {
    const prefix = Buffer.from("302a300506032b6570032100", "hex");
    const der = Buffer.concat([prefix, new PublicKey(wallet.solanaAddress).toBytes()]);
    const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 1300 }), async (message) => {
        const signature = await vault.signMessage(wallet, message);
        expect(signature).toHaveLength(64);
        expect(verify(null, message, publicKey, signature)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("are rejected for a digest that does not have 32 bytes", async () => {
    await expect(vault.signDigest(wallet, randomBytes(31))).rejects.toThrow(RangeError);
  });

  it("differ between wallets", () => {
    expect(other.evmAddress).not.toBe(wallet.evmAddress);
    expect(other.solanaAddress).not.toBe(wallet.solanaAddress);
  });
});

describe("a changed row", () => {
  it("cannot be opened with any byte changed, and the error contains no key material", async () => {
    for (let at = 0; at < wallet.sealedKeys.length; at++) {
      const row = { ...wallet, sealedKeys: flipBit(wallet.sealedKeys, at, at % 8) };
      // Each half contains one key. Only the changed half must not open.
      const use = at < wallet.sealedKeys.length / 2 ? vault.signDigest(row, digest) : vault.signMessage(row, digest);
      const error = await use.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error, `byte ${at}`).toBeInstanceOf(SealBrokenError);
      expect(inspect(error, { depth: 5, showHidden: true })).not.toMatch(
        /[0-9a-f]{2}( [0-9a-f]{2}){3}|[0-9a-fA-F]{16}/,
      );
    }
  });

  it("cannot be opened with any byte of the wrapped data key changed", async () => {
    await vault.signDigest(wallet, digest);
    for (let at = 0; at < wallet.wrappedDataKey.length; at++) {
      await expectUnopenable({ ...wallet, wrappedDataKey: flipBit(wallet.wrappedDataKey, at, at % 8) });
    }
  });

  it("cannot be opened after truncation or extension", async () => {
    await expectUnopenable({ ...wallet, sealedKeys: wallet.sealedKeys.slice(0, -1) });
    await expectUnopenable({ ...wallet, sealedKeys: Uint8Array.from([...wallet.sealedKeys, 0]) });
    await expectUnopenable({ ...wallet, sealedKeys: new Uint8Array() });
    await expectUnopenable({ ...wallet, wrappedDataKey: new Uint8Array() });
  });

  it("cannot be opened with fields of another wallet", async () => {
    await expectUnopenable({ ...wallet, id: other.id });
    await expectUnopenable({ ...wallet, evmAddress: other.evmAddress });
    await expectUnopenable({ ...wallet, solanaAddress: other.solanaAddress });
    await expectUnopenable({ ...wallet, sealedKeys: other.sealedKeys });
    await expectUnopenable({ ...wallet, wrappedDataKey: other.wrappedDataKey });
    await expectUnopenable({ ...wallet, sealedKeys: other.sealedKeys, wrappedDataKey: other.wrappedDataKey });
    await expectUnopenable({ ...other, id: wallet.id });
  });

  it("cannot be opened for another account, also after it was opened for its own", async () => {
    await vault.signDigest(wallet, digest);
    for (const accountId of [OTHER_ACCOUNT, null]) await expectUnopenable({ ...wallet, accountId });
    const treasury = await vault.create("wal_treasury", null);
    await expectUnopenable({ ...treasury, accountId: ACCOUNT });
    expect(await vault.signDigest(treasury, digest)).toMatch(/^0x[0-9a-f]{130}$/);
  });

  it("cannot be opened with its two keys swapped", async () => {
    const half = wallet.sealedKeys.length / 2;
    const swapped = Uint8Array.from([...wallet.sealedKeys.subarray(half), ...wallet.sealedKeys.subarray(0, half)]);
    await expectUnopenable({ ...wallet, sealedKeys: swapped });
  });

  it("can be opened with its EVM address in lower case", async () => {
    const lower = { ...wallet, evmAddress: wallet.evmAddress.toLowerCase() as `0x${string}` };
    expect(await vault.signDigest(lower, digest)).toBe(await vault.signDigest(wallet, digest));
  });
});

describe("key-encryption keys", () => {
  it("with the same id but other bytes open no wallet", async () => {
    const sameIdVault = createVault({ kek: localKek(randomBytes(32), "local:1") });
    await expect(sameIdVault.signDigest(wallet, digest)).rejects.toThrow(SealBrokenError);
  });

  it("that are not configured cause an UnknownKekError", async () => {
    const otherKekVault = createVault({ kek: localKek(randomBytes(32), "local:9") });
    await expect(otherKekVault.signMessage(wallet, digest)).rejects.toThrow(UnknownKekError);
  });

  it("can be rotated: older keys open wallets, the current key seals them, and rewrapping replaces the older key", async () => {
    const newer = localKek(randomBytes(32), "local:2");
    const rotated = createVault({ kek: newer, olderKeks: [kek] });
    expect((await rotated.create("wal_3", ACCOUNT)).kekId).toBe("local:2");
    const context = SEALED_WALLETS.contextOf(wallet);
    const signature = await vault.signDigest(wallet, digest);
    expect(await rotated.signDigest(wallet, digest)).toBe(signature);
    const rewrapped = { ...wallet, ...(await rewrapDataKey({ kek: newer, olderKeks: [kek] }, wallet, context)) };
    expect(rewrapped.kekId).toBe("local:2");
    expect(await createVault({ kek: newer }).signDigest(rewrapped, digest)).toBe(signature);
    const { wrappedDataKey, kekId } = rewrapped;
    expect(await rewrapDataKey({ kek: newer }, rewrapped, context)).toEqual({ wrappedDataKey, kekId });
  });

  it("reject a rewrap if they do not open the data key that they wrapped", async () => {
    const newer = localKek(randomBytes(32), "local:2");
    const broken: KeyEncryptionKey = {
      ...newer,
      wrap: (dataKey, context) =>
        newer.wrap(
          dataKey.map(() => 0),
          context,
        ),
    };
    const rewrapping = rewrapDataKey({ kek: broken, olderKeks: [kek] }, wallet, SEALED_WALLETS.contextOf(wallet));
    await expect(rewrapping).rejects.toThrow("does not open what it wrapped");
  });

  it("are called once for many signatures of one wallet, and again after a failure", async () => {
    let unwraps = 0;
    let broken = true;
    const counted: KeyEncryptionKey = {
      ...kek,
      async unwrap(wrapped, context) {
        unwraps++;
        if (broken) throw new Error("unreachable");
        return kek.unwrap(wrapped, context);
      },
    };
    const counting = createVault({ kek: counted });
    await expect(counting.signDigest(wallet, digest)).rejects.toThrow("unreachable");
    broken = false;
    await Promise.all(Array.from({ length: 20 }, () => counting.signDigest(wallet, digest)));
    expect(unwraps).toBe(2);
  });
});
