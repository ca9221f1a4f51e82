/** Allow-lists of payees: EVM addresses match case-insensitively, Solana addresses exactly. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPayeeAllowed } from "../../src/accounts/viewer.ts";
import { canonicalAddress } from "../../src/payments/x402/addresses.ts";
import { encodeBase58 } from "../../src/platform/crypto/base58.ts";

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("hex"));
const evm = address.chain((hex) => fc.mixedCase(fc.constant(hex))).map((hex) => `0x${hex}`);
const solana = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(encodeBase58);
const payees = fc.array(fc.oneof(evm, solana), { minLength: 1, maxLength: 5 });

describe("payee allow-list", () => {
  it("allows any payee if the list is empty", () => {
    fc.assert(fc.property(fc.oneof(evm, solana), (payee) => isPayeeAllowed({ allowedPayees: [] }, payee)));
  });

  it("matches an EVM address in any case", () => {
    const listed = fc.tuple(payees, address).chain(([others, hex]) => {
      const anyCase = fc.mixedCase(fc.constant(hex)).map((text) => `0x${text}`);
      return fc.record({ others: fc.constant(others), allowed: anyCase, payee: anyCase });
    });
    fc.assert(
      fc.property(listed, ({ others, allowed, payee }) =>
        isPayeeAllowed({ allowedPayees: [...others, allowed] }, payee),
      ),
    );
  });

  it("matches a Solana address case-sensitively", () => {
    fc.assert(
      fc.property(solana, (payee) => {
        expect(isPayeeAllowed({ allowedPayees: [payee] }, payee)).toBe(true);
        for (const other of [payee.toLowerCase(), payee.toUpperCase()]) {
          expect(isPayeeAllowed({ allowedPayees: [other] }, payee)).toBe(other === payee);
        }
      }),
    );
  });

  it("allows only payees on the list", () => {
    fc.assert(
      fc.property(payees, fc.oneof(evm, solana), (allowedPayees, payee) => {
        const isListed = allowedPayees.some((allowed) => canonicalAddress(allowed) === canonicalAddress(payee));
        expect(isPayeeAllowed({ allowedPayees }, payee)).toBe(isListed);
      }),
    );
  });
});
