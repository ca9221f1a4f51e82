/** The reference packages `@x402/evm` and `@x402/svm` verify and settle every kind of payment, on anvil and LiteSVM. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getAssociatedTokenAddressSync } from "@solana/spl-token";
import { Connection, PublicKey } from "@solana/web3.js";
import { type PublicClient, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EvmChain, startEvmChain } from "../../../sandbox/evm/chain.ts";
import { createFacilitator, type Facilitator } from "../../../sandbox/facilitator/schemes.ts";
import { facilitatorEvm, facilitatorSolana, sellerEvmAddress, sellerSolana } from "../../../sandbox/identities.ts";
import { NETWORKS as SANDBOX_NETWORKS } from "../../../sandbox/networks.ts";
import { createPorts } from "../../../sandbox/ports.ts";
import { type SolanaChain, startSolanaChain } from "../../../sandbox/solana/chain.ts";
import { buildAuthorization } from "../../../src/payments/x402/build-authorization.ts";
import { encodePayment } from "../../../src/payments/x402/payload.ts";
import { signAuthorization } from "../../../src/payments/x402/sign.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import type { SealedWallet } from "../../../src/wallet/vault.ts";
import { bodyV1, bodyV2, chosenFrom, entryV1, entryV2, solanaEntry, vault } from "./fixtures.ts";

const TOKEN = parseAbi([
  "function nonces(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function balanceOf(address) view returns (uint256)",
]);
const usdc = NETWORKS["base-sepolia"].usdc.address;
const mint = NETWORKS["solana-devnet"].usdc.address;
const toSeller = { payTo: sellerEvmAddress };
const upto = {
  ...toSeller,
  scheme: "upto",
  extra: { name: "USDC", version: "2", facilitatorAddress: facilitatorEvm.address },
};
const onSolana = { payTo: sellerSolana.address, extra: { feePayer: facilitatorSolana.address } };
const solanaV2 = { ...solanaEntry(onSolana), maxAmountRequired: undefined, amount: "10000", network: "solana:devnet" };

const dataDir = mkdtempSync(join(tmpdir(), "reference-packages-"));
let evm: EvmChain;
let solana: SolanaChain;
let facilitator: Facilitator;
let wallet: SealedWallet;

beforeAll(async () => {
  const options = { dataDir, host: "127.0.0.1", ports: createPorts(dataDir, "127.0.0.1") };
  [evm, solana, wallet] = await Promise.all([
    startEvmChain(options, SANDBOX_NETWORKS["base-sepolia"]),
    startSolanaChain(options, SANDBOX_NETWORKS["solana-devnet"]),
    vault.create("wal_reference", null),
  ]);
  facilitator = createFacilitator([evm], [solana]);
  await evm.fund(wallet.evmAddress, { usdcAtomic: 1_000_000n });
  await solana.fund(wallet.solanaAddress, { usdcAtomic: 1_000_000n });
}, 60_000);

afterAll(async () => {
  await Promise.all([evm?.stop(), solana?.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Returns the chain reads that building an authorization needs, served by the real chains. */
function chains() {
  const read = (functionName: "nonces" | "allowance", args: string[]) =>
    (evm.client as PublicClient).readContract({ address: usdc, abi: TOKEN, functionName, args } as never);
  const connection = new Connection(solana.rpcUrl, "confirmed");
  return {
    evm: () => ({
      permitNonce: (_asset: string, owner: string) => read("nonces", [owner]),
      permit2AllowanceAtomic: (_asset: string, owner: string) =>
        read("allowance", [owner, "0x000000000022D473030F116dDEE9F6B43aC78BA3"]),
    }),
    solana: () => ({
      latestBlockhash: () => connection.getLatestBlockhash(),
      mint: async () => ({ tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", decimals: 6 }),
    }),
  } as never;
}

async function pay(body: { accepts: unknown[] }) {
  const deps = { chains: chains(), now: () => new Date() };
  const stored = await buildAuthorization(deps, chosenFrom(body, [facilitatorEvm.address]), wallet);
  const signature = await signAuthorization(stored.authorization, wallet, vault);
  const { header } = encodePayment(stored, signature);
  // The payload that the seller decodes from the header, and its requirements.
  const payload = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
  return { payload, requirements: JSON.parse(JSON.stringify(body.accepts[0])) };
}

const evmBalance = (owner: string) =>
  evm.client.readContract({ address: usdc, abi: TOKEN, functionName: "balanceOf", args: [owner as never] });

async function solanaBalance(owner: string): Promise<bigint> {
  const account = getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true);
  const { value } = await new Connection(solana.rpcUrl, "confirmed").getTokenAccountBalance(account);
  return BigInt(value.amount);
}

const sponsored = (...accepts: unknown[]) => ({
  ...bodyV2(...accepts),
  extensions: { eip2612GasSponsoring: { info: { description: "", version: "1" } } },
});

describe("a payment on EVM", () => {
  it.each([
    ["exact, version 1", bodyV1(entryV1(toSeller))],
    ["exact, version 2", bodyV2(entryV2(toSeller))],
    [
      "exact by Permit2, with a permit for the allowance",
      sponsored(entryV2({ ...toSeller, extra: { name: "USDC", version: "2", assetTransferMethod: "permit2" } })),
    ],
    ["upto by EIP-2612, version 1", bodyV1(entryV1(upto))],
    ["upto by Permit2, with a permit for the allowance", sponsored(entryV2(upto))],
  ])("of %s is verified and settled, and cannot be settled twice", async (_name, body) => {
    const before = await evmBalance(sellerEvmAddress);
    const { payload, requirements } = await pay(body);
    expect(await facilitator.verify(payload, requirements)).toMatchObject({ isValid: true, payer: wallet.evmAddress });
    expect(await facilitator.settle(payload, requirements)).toMatchObject({ success: true });
    expect((await evmBalance(sellerEvmAddress)) - before).toBe(10_000n);
    expect(await facilitator.settle(payload, requirements)).toMatchObject({ success: false });
    expect((await evmBalance(sellerEvmAddress)) - before).toBe(10_000n);
  });

  it("of upto may charge less than the cap", async () => {
    const before = await evmBalance(sellerEvmAddress);
    const { payload, requirements } = await pay(sponsored(entryV2(upto)));
    expect(await facilitator.settle(payload, { ...requirements, amount: "1858" })).toMatchObject({ success: true });
    expect((await evmBalance(sellerEvmAddress)) - before).toBe(1_858n);
  });

  it("with modified bytes is not verified", async () => {
    const { payload, requirements } = await pay(bodyV1(entryV1(toSeller)));
    payload.payload.authorization.value = "9999";
    expect(await facilitator.verify(payload, requirements)).toMatchObject({ isValid: false });
  });
});

describe("a payment on Solana", () => {
  it.each([
    ["version 1", bodyV1(solanaEntry(onSolana))],
    ["version 2", bodyV2({ ...solanaV2, network: NETWORKS["solana-devnet"].caip2[0] })],
    ["version 2 under the contract's name for the network", bodyV2(solanaV2)],
    ["version 1 with a memo", bodyV1(solanaEntry({ ...onSolana, extra: { ...onSolana.extra, memo: "order 7" } }))],
  ])("of %s is verified and settled, and cannot be settled twice", async (_name, body) => {
    const before = await solanaBalance(sellerSolana.address);
    const { payload, requirements } = await pay(body);
    expect(await facilitator.verify(payload, requirements)).toMatchObject({
      isValid: true,
      payer: wallet.solanaAddress,
    });
    expect(await facilitator.settle(payload, requirements)).toMatchObject({ success: true });
    expect((await solanaBalance(sellerSolana.address)) - before).toBe(10_000n);
    expect(await facilitator.settle(payload, requirements)).toMatchObject({ success: false });
    expect((await solanaBalance(sellerSolana.address)) - before).toBe(10_000n);
  });

  it("is distinct from an earlier one with the same price, payee and blockhash", async () => {
    const before = await solanaBalance(sellerSolana.address);
    const body = bodyV1(solanaEntry(onSolana));
    const payments = await Promise.all([pay(body), pay(body), pay(body)]);
    for (const { payload, requirements } of payments) {
      expect(await facilitator.settle(payload, requirements)).toMatchObject({ success: true });
    }
    expect((await solanaBalance(sellerSolana.address)) - before).toBe(30_000n);
  });
});
