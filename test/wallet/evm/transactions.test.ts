/** Transactions signed by the vault, decoded by viem. */
import fc from "fast-check";
import { getAddress, type Hex, keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import { expect, it } from "vitest";
import type { UnsignedEvmTransaction } from "../../../src/wallet/chain.ts";
import { signTransaction } from "../../../src/wallet/evm/transactions.ts";
import { createLocalVault } from "../../support/vault.ts";

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`;
// Values are positive, because viem decodes zero as undefined.
const wei = fc.bigInt({ min: 1n, max: 10n ** 24n });

const unsigned: fc.Arbitrary<UnsignedEvmTransaction> = fc.record({
  type: fc.constant("eip1559" as const),
  chainId: fc.constantFrom(8453, 84532),
  nonce: fc.nat().map((nonce) => nonce + 1),
  to: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(hex(bytes))),
  data: fc.uint8Array({ minLength: 1, maxLength: 100 }).map(hex),
  value: wei,
  gas: wei,
  maxFeePerGas: wei,
  maxPriorityFeePerGas: fc.constant(1n),
});

it("signs every field of a transaction for the wallet's address, deterministically", async () => {
  const vault = createLocalVault();
  const wallet = await vault.create("wal_1", null);
  await fc.assert(
    fc.asyncProperty(unsigned, async (transaction) => {
      const { rawTransaction, txHash } = await signTransaction(vault, wallet, transaction);
      const serializedTransaction = rawTransaction as `0x02${string}`;
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(wallet.evmAddress);
      expect(parseTransaction(serializedTransaction)).toMatchObject({
        ...transaction,
        to: transaction.to.toLowerCase(),
      });
      expect(txHash).toBe(keccak256(rawTransaction));
      expect(await signTransaction(vault, wallet, transaction)).toEqual({ rawTransaction, txHash });
    }),
    { numRuns: 50 },
  );
});
