import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/load.ts";
import { kmsKek } from "./key-encryption-kms.ts";
import { existingKeyFileKek, keyFileKek, localKek } from "./key-encryption-local.ts";
import type { KeyEncryptionKey, KeyEncryptionKeys } from "./wrapped-key.ts";

type CurrentConfig = Pick<Config, "AWS_KMS_KEY_ID" | "KEY_ENCRYPTION_KEY" | "KEY_FILE" | "DATA_DIR">;
type OlderConfig = Pick<Config, "OLDER_AWS_KMS_KEY_IDS" | "OLDER_KEY_ENCRYPTION_KEYS" | "OLDER_KEY_FILES">;

/**
 * Returns the configured key-encryption keys.
 * @throws {KeyFileError} a key file is untrusted, or the file of an older key does not exist
 */
export async function createKeyEncryptionKeys(
  config: CurrentConfig & OlderConfig,
): Promise<Required<KeyEncryptionKeys>> {
  const kek = await createKeyEncryptionKey(config);
  const olderKeks = [
    ...config.OLDER_KEY_ENCRYPTION_KEYS.map(configuredKek),
    ...(await Promise.all(config.OLDER_KEY_FILES.map(existingKeyFileKek))),
    ...config.OLDER_AWS_KMS_KEY_IDS.map((keyId) => kmsKek(keyId)),
  ];
  return { kek, olderKeks };
}

/** Returns a key in AWS KMS, the key in the environment or the key in a file, in this order of precedence. */
async function createKeyEncryptionKey(config: CurrentConfig): Promise<KeyEncryptionKey> {
  if (config.AWS_KMS_KEY_ID) return kmsKek(config.AWS_KMS_KEY_ID);
  if (config.KEY_ENCRYPTION_KEY) return configuredKek(config.KEY_ENCRYPTION_KEY);
  if (config.KEY_FILE) return await keyFileKek(config.KEY_FILE);
  await mkdir(config.DATA_DIR, { recursive: true });
  return await keyFileKek(join(config.DATA_DIR, "key-encryption.key"));
}

function configuredKek(base64: string): KeyEncryptionKey {
  const key = Buffer.from(base64, "base64");
  return localKek(key, `local:${createHash("sha256").update(key).digest("hex").slice(0, 16)}`);
}
