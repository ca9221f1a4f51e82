/** A ciphertext opens only for its own kind, row and account. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SEALED_TABLES } from "../../src/app/sealed-tables.ts";
import { localKek } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import { openJson, SealBrokenError, sealJson } from "../../src/platform/crypto/sealing/sealed-box.ts";
import { createDataKey, openDataKey } from "../../src/platform/crypto/sealing/wrapped-key.ts";

const keks = { kek: localKek(randomBytes(32), "local:1") };

const ids = fc.oneof(
  fc.stringMatching(/^(wal|card|ord)_[a-z0-9:]{1,6}$/),
  // Ids that imitate contexts, as a party that writes rows could choose them.
  fc.tuple(fc.constantFrom("card", "wallet", "order"), fc.string({ maxLength: 4 })).map((parts) => parts.join(":")),
);
const rows = fc.record({
  table: fc.constantFrom(...SEALED_TABLES.filter(({ hasAccounts }) => hasAccounts)),
  id: ids,
  accountId: fc.oneof(fc.uuid(), fc.constant(null)),
});
type Row = typeof rows extends fc.Arbitrary<infer Value> ? Value : never;

/** Another row that differs in one or more of kind, id and account. */
const pairs = fc
  .tuple(rows, rows, fc.subarray(["table", "id", "accountId"] as const, { maxLength: 2 }))
  .map(([one, other, same]): [Row, Row] => [
    one,
    { ...other, ...Object.fromEntries(same.map((name) => [name, one[name]])) },
  ])
  .filter(([one, other]) => one.table !== other.table || one.id !== other.id || one.accountId !== other.accountId);
const contextOf = ({ table, ...row }: Row) => table.contextOf(row);
const formerContextOf = ({ table, id }: Row) =>
  "former" in table ? (table.former as { contextOf(id: string): string }).contextOf(id) : "";

it("a wrapped key and a box of one row open in no other row, account or table, nor under a former context", async () => {
  await fc.assert(
    fc.asyncProperty(pairs, async ([one, other]) => {
      const { dataKey, ...wrapped } = await createDataKey(keks, contextOf(one));
      const box = sealJson(dataKey, { secret: 1 }, contextOf(one));
      expect(openJson(await openDataKey(keks, wrapped, contextOf(one)), box, contextOf(one))).toEqual({ secret: 1 });
      for (const context of [contextOf(other), formerContextOf(one)]) {
        await expect(openDataKey(keks, wrapped, context)).rejects.toThrow(SealBrokenError);
        expect(() => openJson(dataKey, box, context)).toThrow(SealBrokenError);
      }
    }),
    { numRuns: 200 },
  );
});
