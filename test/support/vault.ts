import { randomBytes } from "node:crypto";
import { localKek } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";
import type { Vault } from "../../src/wallet/vault.ts";

/** Creates the real vault with a random key encryption key. */
export function createLocalVault(): Vault {
  return createVault({ kek: localKek(randomBytes(32), "test") });
}
