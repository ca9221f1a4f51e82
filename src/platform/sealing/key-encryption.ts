import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { KeyEncryptionKey } from "./key-encryption-key.ts";
import { kmsKek } from "./key-encryption-kms.ts";
import { keyFileKek, localKek } from "./key-encryption-local.ts";

/** The key-encryption key that is configured: AWS KMS, a key in the environment, or a key file. */
export async function createKeyEncryptionKey(
  config: Pick<Config, "AWS_KMS_KEY_ID" | "KEY_ENCRYPTION_KEY" | "KEY_FILE" | "DATA_DIR">,
): Promise<KeyEncryptionKey> {
  if (config.AWS_KMS_KEY_ID) return kmsKek(config.AWS_KMS_KEY_ID);
  if (config.KEY_ENCRYPTION_KEY) {
    const key = Buffer.from(config.KEY_ENCRYPTION_KEY, "base64");
    return localKek(key, `local:${createHash("sha256").update(key).digest("hex").slice(0, 16)}`);
  }
  if (config.KEY_FILE) return await keyFileKek(config.KEY_FILE);
  await mkdir(config.DATA_DIR, { recursive: true });
  return await keyFileKek(join(config.DATA_DIR, "key-encryption.key"));
}
