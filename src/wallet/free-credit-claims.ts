/** Addresses of deleted accounts that received free credit, as hashes: a new account with such an address receives none. */
import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { Prisma } from "../../generated/prisma/client.ts";
import type { Database, Statement } from "../platform/database/connection.ts";

const HASH_BYTES = 32;
/** Constant, since the hash is looked up by address. The cost of scrypt slows down guesses of addresses. */
const SALT = "satchel free credit";

const DELETE_OLD: Statement = {
  name: "delete-old-free-credit-claims",
  text: "DELETE FROM free_credit_claims WHERE created_at < now() - interval '3 years'",
};

const hash = promisify<string, string, number, Buffer>(scrypt);
const hashAddress = async (email: string) => new Uint8Array(await hash(email, SALT, HASH_BYTES));

/** Records that the address received free credit. */
export async function recordFreeCreditClaim(tx: Prisma.TransactionClient, email: string): Promise<void> {
  await tx.freeCreditClaim.createMany({ data: [{ addressHash: await hashAddress(email) }], skipDuplicates: true });
}

/** Returns true if a deleted account with this address received free credit. */
export async function hasFreeCreditClaim(db: Pick<Database, "prisma">, email: string): Promise<boolean> {
  return (await db.prisma.freeCreditClaim.count({ where: { addressHash: await hashAddress(email) } })) > 0;
}

/** Job: deletes hashes that are 3 years old. */
export async function deleteOldClaims(db: Database): Promise<void> {
  await db.query(DELETE_OLD, []);
}
