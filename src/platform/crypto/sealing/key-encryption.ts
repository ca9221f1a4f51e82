import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../../config/load.ts";
import { kmsKek } from "./key-encryption-kms.ts";
import { ensureKeyFileKek, keyFileKek, localKek, olderKeyFileKek } from "./key-encryption-local.ts";
import type { KeyEncryptionKey, KeyEncryptionKeys } from "./wrapped-key.ts";

type CurrentConfig = Pick<Config, "AWS_KMS_KEY_ID" | "KEY_ENCRYPTION_KEY" | "KEY_FILE" | "DATA_DIR">;
type OlderConfig = Pick<Config, "OLDER_AWS_KMS_KEY_IDS" | "OLDER_KEY_ENCRYPTION_KEYS" | "OLDER_KEY_FILES">;

/** Returns the path of the key file: the configured one, or the default one outside production. */
export function keyFilePath({ KEY_FILE, DATA_DIR }: Pick<Config, "KEY_FILE" | "DATA_DIR">): string {
  return KEY_FILE ?? join(DATA_DIR, "key-encryption.key");
}

/**
 * Returns the configured key-encryption keys.
 *
 * @param mayCreate whether to create the default key file if it does not exist; only for an empty database
 * @throws {KeyFileError} a key file does not exist or is untrusted
 */
export async function createKeyEncryptionKeys(
  config: CurrentConfig & OlderConfig,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<Required<KeyEncryptionKeys>> {
  const kek = await createKeyEncryptionKey(config, mayCreate);
  const olderKeks = [
    ...config.OLDER_KEY_ENCRYPTION_KEYS.map(configuredKek),
    ...(await Promise.all(config.OLDER_KEY_FILES.map(olderKeyFileKek))),
    ...config.OLDER_AWS_KMS_KEY_IDS.map((keyId) => kmsKek(keyId)),
  ];
  return { kek, olderKeks };
}

/** Returns the key of the one source that the configuration names, else that in the default key file. */
async function createKeyEncryptionKey(config: CurrentConfig, mayCreate: boolean): Promise<KeyEncryptionKey> {
  if (config.AWS_KMS_KEY_ID) return kmsKek(config.AWS_KMS_KEY_ID);
  if (config.KEY_ENCRYPTION_KEY) return configuredKek(config.KEY_ENCRYPTION_KEY);
  const path = keyFilePath(config);
  // Never for KEY_FILE: its name may be mistyped.
  return config.KEY_FILE || !mayCreate ? await keyFileKek(path) : await ensureKeyFileKek(path);
}

function configuredKek(base64: string): KeyEncryptionKey {
  const key = Buffer.from(base64, "base64");
  return localKek(key, `local:${createHash("sha256").update(key).digest("hex").slice(0, 16)}`);
}
