import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex, hexToBigInt } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EvmChain } from "../../../src/wallet/chain.ts";
import { createEvmChain } from "../../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { forward, startProxy } from "../rpc-proxy.ts";
import { openEvmRoom, PERMIT2 } from "./room.ts";

let room: Awaited<ReturnType<typeof openEvmRoom>>;
let chain: EvmChain;
let facilitator: Awaited<ReturnType<typeof room.person>>;
let payTo: Hex;

beforeAll(async () => {
  room = await openEvmRoom();
  chain = createEvmChain(NETWORKS["base-sepolia"], room.rpcUrl);
  facilitator = await room.person();
  payTo = (await room.person()).address;
});
afterAll(() => room.close());

const randomNonce = () => bytesToHex(randomBytes(32));
const CAP = 1_000n;

describe("an EIP-3009 authorization", () => {
  async function authorization(validForSeconds = 60n) {
    const payer = await room.person(CAP);
    const nonce = randomNonce();
    const validBefore = (await room.now()) + validForSeconds;
    const signed = await room.authorize(payer, payTo, CAP, validBefore, nonce);
    const query = { asset: room.usdc, from: payer.address, to: payTo, valueAtomic: CAP, nonce, validBefore };
    return { payer, signed, query, settle: () => facilitator.callUsdc("transferWithAuthorization", signed) };
  }

  it("is open until the chain's clock has passed validBefore, then dead", async () => {
    const { query, settle } = await authorization();
    expect(await chain.transferAuthorizationState(query)).toEqual({ state: "open" });
    await room.pass(61n);
    // A reorganisation could still bring a block that ends earlier.
    expect(await chain.transferAuthorizationState(query)).toEqual({ state: "open" });
    await room.pass(31n);
    expect(await chain.transferAuthorizationState(query)).toEqual({ state: "dead" });
    await expect(settle()).rejects.toThrow();
  });

  it("is used in the transaction that moved the money, which is found without being told", async () => {
    const { query, settle } = await authorization();
    const txHash = await settle();
    const used = { state: "used", txHash, chargedAtomic: CAP };
    expect(await chain.transferAuthorizationState(query)).toEqual(used);
    await room.pass(7_200n);
    await room.mine(2_010);
    expect(await chain.transferAuthorizationState(query)).toEqual(used);
    await room.pass(40_000n);
    await room.mine(10);
    expect(await chain.transferAuthorizationState(query)).toEqual(used);
  }, 30_000);

  it("takes a true claim and sees through a false one", async () => {
    const [one, two] = [await authorization(), await authorization()];
    const [first, second] = [await one.settle(), await two.settle()];
    const used = { state: "used", txHash: first, chargedAtomic: CAP };
    for (const claimedTxHash of [first, second, randomNonce(), "nonsense", "", null]) {
      expect(await chain.transferAuthorizationState({ ...one.query, claimedTxHash })).toEqual(used);
    }
    // A claim of a transaction that did not use it makes nothing used.
    const three = await authorization();
    expect(await chain.transferAuthorizationState({ ...three.query, claimedTxHash: second })).toEqual({
      state: "open",
    });
  });

  it("that was cancelled is used and cost nothing", async () => {
    const { payer, query } = await authorization();
    const txHash = await facilitator.callUsdc("cancelAuthorization", await room.cancel(payer, query.nonce));
    expect(await chain.transferAuthorizationState(query)).toEqual({ state: "used", txHash, chargedAtomic: 0n });
  });

  it("proves no amount when the value did not go where it should", async () => {
    const { query, settle } = await authorization();
    const txHash = await settle();
    const elsewhere = { ...query, to: facilitator.address };
    expect(await chain.transferAuthorizationState(elsewhere)).toEqual({ state: "used", txHash, chargedAtomic: null });
  });
});

describe("an EIP-2612 permit", () => {
  async function permit(nonce = 0n, payer?: Awaited<ReturnType<typeof room.person>>, spender = facilitator) {
    const owner = payer ?? (await room.person(10n * CAP));
    const deadline = (await room.now()) + 60n;
    const signed = await room.permit(owner, spender.address, CAP, nonce, deadline);
    return {
      owner,
      query: { asset: room.usdc, owner: owner.address, spender: spender.address, nonce, deadline, valueAtomic: CAP },
      submit: () => spender.callUsdc("permit", signed),
      take: (amount: bigint) => spender.callUsdc("transferFrom", [owner.address, payTo, amount]),
    };
  }

  it("is open until its deadline, then dead", async () => {
    const { owner, query } = await permit();
    expect(await chain.permitNonce(room.usdc, owner.address)).toBe(0n);
    expect(await chain.permitState(query)).toEqual({ state: "open" });
    await room.pass(92n);
    expect(await chain.permitState(query)).toEqual({ state: "dead" });
  });

  it("stays open once submitted, also after its deadline, until the spender takes something", async () => {
    const { owner, query, submit, take } = await permit();
    await submit();
    expect(await chain.permitNonce(room.usdc, owner.address)).toBe(1n);
    await room.pass(600n);
    expect(await chain.permitState(query)).toEqual({ state: "open" });
    const txHash = await take(300n);
    expect(await chain.permitState(query)).toEqual({ state: "used", txHash, chargedAtomic: 300n });
  });

  it("counts everything the spender took, and nothing that moved another way", async () => {
    const { owner, query, submit, take } = await permit();
    await submit();
    const nonce = randomNonce();
    const other = await room.authorize(owner, payTo, 50n, (await room.now()) + 60n, nonce);
    await facilitator.callUsdc("transferWithAuthorization", other);
    await owner.callUsdc("transfer", [payTo, 70n]);
    expect(await chain.permitState(query)).toEqual({ state: "open" });
    await take(300n);
    const last = await take(200n);
    expect(await chain.permitState(query)).toEqual({ state: "used", txHash: last, chargedAtomic: 500n });
  });

  it("is told apart from its neighbours of the same cap and spender", async () => {
    const first = await permit();
    await first.submit();
    const drawn = await first.take(CAP);
    const second = await permit(1n, first.owner);
    expect(await chain.permitState(second.query)).toEqual({ state: "open" });
    await second.submit();
    const txHash = await second.take(10n);
    expect(await chain.permitState(second.query)).toEqual({ state: "used", txHash, chargedAtomic: 10n });
    // The allowance is the second's by now.
    const all = { state: "used", txHash: drawn, chargedAtomic: CAP };
    expect(await chain.permitState(first.query)).toEqual(all);
  });

  it("that another of the same spender took the place of cost what was drawn until then", async () => {
    const first = await permit();
    await first.submit();
    await first.take(100n);
    const drawn = await first.take(300n);
    await first.owner.callUsdc("transfer", [payTo, 70n]);
    const second = await permit(1n, first.owner);
    await second.submit();
    const last = await second.take(700n);
    expect(await chain.permitState(second.query)).toEqual({ state: "used", txHash: last, chargedAtomic: 700n });
    expect(await chain.permitState(first.query)).toEqual({ state: "used", txHash: drawn, chargedAtomic: 400n });
    await room.pass(86_400n);
    expect(await chain.permitState(first.query)).toEqual({ state: "used", txHash: drawn, chargedAtomic: 400n });
  });

  it("that was replaced before it was drawn from is dead, unless something else may have been a draw", async () => {
    const first = await permit();
    await first.submit();
    const second = await permit(1n, first.owner);
    await second.submit();
    await second.take(700n);
    expect(await chain.permitState(first.query)).toEqual({ state: "open" });

    const other = await permit();
    await other.submit();
    await other.owner.callUsdc("approve", [PERMIT2, CAP]);
    const upto = { facilitator: facilitator.address, to: payTo };
    const deadline = (await room.now()) + 60n;
    await facilitator.settleUpto(await room.upto(other.owner, upto, CAP, 5n, hexToBigInt(randomNonce()), deadline));
    await (await permit(1n, other.owner)).submit();
    await room.pass(92n);
    expect(await chain.permitState(first.query)).toEqual({ state: "dead" });
    expect(await chain.permitState(other.query)).toEqual({ state: "used", txHash: null, chargedAtomic: null });
  });

  it("is dead when another permit took its nonce", async () => {
    const stranger = await room.person();
    const ours = await permit();
    const theirs = await permit(0n, ours.owner, stranger);
    await theirs.submit();
    const txHash = await theirs.take(CAP);
    expect(await chain.permitState(theirs.query)).toEqual({ state: "used", txHash, chargedAtomic: CAP });
    expect(await chain.permitState(ours.query)).toEqual({ state: "open" });
    await room.pass(92n);
    expect(await chain.permitState(ours.query)).toEqual({ state: "dead" });
  });

  it("is not mistaken for an allowance the owner gave by itself", async () => {
    const { owner, query, submit, take } = await permit();
    await owner.callUsdc("approve", [facilitator.address, CAP]);
    expect(await chain.permitState(query)).toEqual({ state: "open" });
    await submit();
    const txHash = await take(1n);
    await owner.callUsdc("approve", [payTo, CAP]);
    expect(await chain.permitState(query)).toEqual({ state: "used", txHash, chargedAtomic: 1n });
  });
});

describe("a Permit2 transfer", () => {
  async function transfer(amount: bigint, payer?: Awaited<ReturnType<typeof room.person>>) {
    const owner = payer ?? (await room.person(10n * CAP));
    const nonce = hexToBigInt(randomNonce());
    const deadline = (await room.now()) + 60n;
    const signed = await room.permit2(owner, facilitator.address, payTo, CAP, amount, nonce, deadline);
    return {
      owner,
      query: {
        asset: room.usdc,
        owner: owner.address,
        spender: facilitator.address,
        nonce,
        deadline,
        payTo,
        valueAtomic: CAP,
      },
      settle: () => facilitator.callPermit2("permitTransferFrom", signed),
    };
  }

  it("is open, then dead", async () => {
    const { query } = await transfer(CAP);
    expect(await chain.permit2State(query)).toEqual({ state: "open" });
    await room.pass(92n);
    expect(await chain.permit2State(query)).toEqual({ state: "dead" });
  });

  it("is found with what it cost, among others of the same people", async () => {
    const one = await transfer(400n);
    expect(await chain.permit2AllowanceAtomic(room.usdc, one.owner.address)).toBe(0n);
    await one.owner.callUsdc("approve", [PERMIT2, 5n * CAP]);
    expect(await chain.permit2AllowanceAtomic(room.usdc, one.owner.address)).toBe(5n * CAP);
    const two = await transfer(CAP, one.owner);
    const three = await transfer(400n, one.owner);
    const first = await one.settle();
    const second = await two.settle();
    for (const claimedTxHash of [null, first, second]) {
      const used = (txHash: Hex, chargedAtomic: bigint) => ({ state: "used", txHash, chargedAtomic });
      expect(await chain.permit2State({ ...one.query, claimedTxHash })).toEqual(used(first, 400n));
      expect(await chain.permit2State({ ...two.query, claimedTxHash })).toEqual(used(second, CAP));
      expect(await chain.permit2State({ ...three.query, claimedTxHash })).toEqual({ state: "open" });
    }
  });

  it("whose nonce the owner gave up is used somewhere, for an amount not known", async () => {
    const { owner, query } = await transfer(CAP);
    await owner.callPermit2("invalidateUnorderedNonces", [query.nonce >> 8n, 1n << (query.nonce & 0xffn)]);
    expect(await chain.permit2State(query)).toEqual({ state: "used", txHash: null, chargedAtomic: null });
  });
});

describe("an RPC without logs", () => {
  it("still tells what is used", async () => {
    const proxy = await startProxy(async (body) =>
      body.includes("eth_getLogs") ? "no logs here" : forward(room.rpcUrl, body),
    );
    const payer = await room.person(CAP);
    const [nonce, validBefore] = [randomNonce(), (await room.now()) + 60n];
    const txHash = await facilitator.callUsdc(
      "transferWithAuthorization",
      await room.authorize(payer, payTo, CAP, validBefore, nonce),
    );
    const poor = createEvmChain(NETWORKS["base-sepolia"], proxy.url);
    const query = { asset: room.usdc, from: payer.address, to: payTo, valueAtomic: CAP, nonce, validBefore };
    expect(await poor.transferAuthorizationState(query)).toEqual({ state: "used", txHash: null, chargedAtomic: null });
    expect(await poor.transferAuthorizationState({ ...query, claimedTxHash: txHash })).toEqual({
      state: "used",
      txHash,
      chargedAtomic: CAP,
    });
    await proxy.close();
  });
});
