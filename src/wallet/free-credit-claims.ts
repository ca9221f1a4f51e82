/**
 * Addresses that received free credit, as hashes. They outlive a change of the address and the deletion of the account, so that a new
 * account with such an address receives none.
 */
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
/** Returns the hash by which a claim is stored. */
export const hashCreditAddress = async (email: string) => new Uint8Array(await hash(email, SALT, HASH_BYTES));

/** Records that the address of the hash received free credit. Await it in the transaction of the credit. */
export const recordFreeCreditClaim = (
  db: Pick<Prisma.TransactionClient, "freeCreditClaim">,
  addressHash: AddressHash,
) =>
  db.freeCreditClaim.upsert({
    where: { addressHash },
    create: { addressHash },
    update: { createdAt: new Date() },
    select: { createdAt: true },
  });

/** Returns true if an account received free credit with this address. */
export async function hasFreeCreditClaim(db: Pick<Database, "prisma">, addressHash: AddressHash): Promise<boolean> {
  return (await db.prisma.freeCreditClaim.count({ where: { addressHash } })) > 0;
}

type AddressHash = Awaited<ReturnType<typeof hashCreditAddress>>;

/** Job: deletes hashes that are 3 years old. */
export async function deleteOldClaims(db: Database): Promise<void> {
  await db.query(DELETE_OLD, []);
}
