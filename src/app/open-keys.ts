/** Opens the key-encryption keys and proves that they open the database, before anything is written. */
import type { Config } from "../platform/config/load.ts";
import { hasSealedRows, isProductionDatabase, requireKeys } from "../platform/crypto/sealing/key-canary.ts";
import { createKeyEncryptionKeys } from "../platform/crypto/sealing/key-encryption.ts";
import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../platform/database/connection.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { SEALED_TABLES } from "./sealed-tables.ts";

/** A sandbox would be started on a production database. Its demo account is an administrator. */
export class ProductionDatabaseError extends OperatorError {
  constructor() {
    super(
      "This database belongs to a production service, and the sandbox is on. Nothing was written. " +
        "Set NODE_ENV=production, or DATABASE_URL to another database.",
    );
  }
}

/**
 * Returns the configured keys. Outside production, an empty database receives a default key file.
 *
 * @param db may be of an earlier version; it is only read
 * @throws {KeyFileError | KeyRefusedError | KmsError | ProductionDatabaseError}
 */
export async function openKeys(config: Config, db: Database): Promise<Required<KeyEncryptionKeys>> {
  if (config.SANDBOX && (await isProductionDatabase(db))) throw new ProductionDatabaseError();
  const mayCreate = config.NODE_ENV !== "production" && !(await hasSealedRows(db, SEALED_TABLES));
  const keks = await createKeyEncryptionKeys(config, { mayCreate });
  await requireKeys(db, keks, SEALED_TABLES);
  return keks;
}
