import { randomBytes } from "node:crypto";
import { localKek } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";
import type { Vault } from "../../src/wallet/vault.ts";

/** The real vault under a key of its own. */
export function localVault(): Vault {
  return createVault({ kek: localKek(randomBytes(32), "test") });
}
