import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex, hexToBigInt } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EvmChain } from "../../../src/wallet/chain.ts";
import { createEvmChain } from "../../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { forward, startRpcProxy } from "../rpc-proxy.ts";
import { PERMIT2, startTestEvmChain } from "./test-chain.ts";

let testChain: Awaited<ReturnType<typeof startTestEvmChain>>;
let chain: EvmChain;
let facilitator: Awaited<ReturnType<typeof testChain.createSigner>>;
let payTo: Hex;

beforeAll(async () => {
  testChain = await startTestEvmChain();
  chain = createEvmChain(NETWORKS["base-sepolia"], testChain.rpcUrl);
  facilitator = await testChain.createSigner();
  payTo = (await testChain.createSigner()).address;
});
afterAll(() => testChain.close());

const randomNonce = () => bytesToHex(randomBytes(32));
const CAP = 1_000n;

describe("an EIP-3009 authorization", () => {
  async function authorization(validForSeconds = 60n) {
    const payer = await testChain.createSigner(CAP);
    const nonce = randomNonce();
    const validBefore = (await testChain.now()) + validForSeconds;
    const signed = await testChain.authorize(payer, payTo, CAP, validBefore, nonce);
    const query = { asset: testChain.usdc, from: payer.address, to: payTo, valueAtomic: CAP, nonce, validBefore };
    return { payer, signed, query, settle: () => facilitator.callUsdc("transferWithAuthorization", signed) };
  }

  it("is open until the chain's clock passes validBefore, then dead", async () => {
    const { query, settle } = await authorization();
    expect(await chain.transferAuthorizationState(query)).toEqual({ state: "open" });
    await testChain.advanceTime(61n);
    // A reorganisation could still produce a block with an earlier timestamp.
    expect(await chain.transferAuthorizationState(query)).toEqual({ state: "open" });
    await testChain.advanceTime(31n);
    expect(await chain.transferAuthorizationState(query)).toEqual({ state: "dead" });
    await expect(settle()).rejects.toThrow();
  });

  it("is used in the transaction that moved the money, which is found without a reported hash", async () => {
    const { query, settle } = await authorization();
    const txHash = await settle();
    const used = { state: "used", txHash, chargedAtomic: CAP };
    expect(await chain.transferAuthorizationState(query)).toEqual(used);
    await testChain.advanceTime(7_200n);
    await testChain.mine(2_010);
    expect(await chain.transferAuthorizationState(query)).toEqual(used);
    await testChain.advanceTime(40_000n);
    await testChain.mine(10);
    expect(await chain.transferAuthorizationState(query)).toEqual(used);
  }, 30_000);

  it("moves its value once", async () => {
    const { settle } = await authorization();
    await settle();
    await expect(settle()).rejects.toThrow();
  });

  it("has the same state with a true, a false or no reported transaction", async () => {
    const [one, two] = [await authorization(), await authorization()];
    const [first, second] = [await one.settle(), await two.settle()];
    const used = { state: "used", txHash: first, chargedAtomic: CAP };
    for (const claimedTxHash of [first, second, randomNonce(), "nonsense", "", null]) {
      expect(await chain.transferAuthorizationState({ ...one.query, claimedTxHash })).toEqual(used);
    }
    // A reported transaction that did not use the nonce has no effect.
    const three = await authorization();
    expect(await chain.transferAuthorizationState({ ...three.query, claimedTxHash: second })).toEqual({
      state: "open",
    });
  });

  it("is used with a charge of zero after its cancellation", async () => {
    const { payer, query } = await authorization();
    const txHash = await facilitator.callUsdc("cancelAuthorization", await testChain.cancel(payer, query.nonce));
    expect(await chain.transferAuthorizationState(query)).toEqual({ state: "used", txHash, chargedAtomic: null });
    await testChain.finalize();
    expect(await chain.transferAuthorizationState(query)).toEqual({ state: "used", txHash, chargedAtomic: 0n });
  });

  it("is used with an unknown charge if the value went to another address", async () => {
    const { query, settle } = await authorization();
    const txHash = await settle();
    const elsewhere = { ...query, to: facilitator.address };
    expect(await chain.transferAuthorizationState(elsewhere)).toEqual({ state: "used", txHash, chargedAtomic: null });
  });
});

describe("an EIP-2612 permit", () => {
  async function permit(
    nonce = 0n,
    payer?: Awaited<ReturnType<typeof testChain.createSigner>>,
    spender = facilitator,
    value = CAP,
  ) {
    const owner = payer ?? (await testChain.createSigner(10n * CAP));
    const deadline = (await testChain.now()) + 60n;
    const signed = await testChain.permit(owner, spender.address, value, nonce, deadline);
    return {
      owner,
      query: {
        asset: testChain.usdc,
        owner: owner.address,
        spender: spender.address,
        nonce,
        deadline,
        valueAtomic: value,
      },
      signed,
      submit: () => spender.callUsdc("permit", signed),
      draw: (amount: bigint) => spender.callUsdc("transferFrom", [owner.address, payTo, amount]),
    };
  }

  type Query = Awaited<ReturnType<typeof permit>>["query"];

  /** Returns the state once everything mined so far is final. */
  async function finalState(query: Query) {
    await testChain.finalize();
    return await chain.permitState(query);
  }

  /** Returns whether the permit is granted with this much left to draw, and whether it may be revoked. */
  const granted = (collectableAtomic: bigint, isRevocable: boolean, nextNonce = 1n) => ({
    state: "granted",
    ...{ collectableAtomic, isRevocable, nextNonce },
  });

  it("is open until its deadline, then dead", async () => {
    const { owner, query } = await permit();
    expect(await chain.permitNonce(testChain.usdc, owner.address)).toBe(0n);
    expect(await finalState(query)).toEqual({ state: "open" });
    await testChain.advanceTime(92n);
    // A submission within the last blocks could still be the final one.
    expect(await chain.permitState(query)).toEqual({ state: "open" });
    expect(await finalState(query)).toEqual({ state: "dead" });
  });

  it("remains granted after partial draws and its deadline, until the whole amount is drawn", async () => {
    const { owner, query, submit, draw } = await permit();
    await submit();
    expect(await chain.permitNonce(testChain.usdc, owner.address)).toBe(1n);
    expect(await finalState(query)).toEqual(granted(CAP, false));
    await testChain.advanceTime(600n);
    expect(await finalState(query)).toEqual(granted(CAP, true));
    await draw(300n);
    expect(await chain.permitState(query)).toEqual(granted(CAP, true));
    expect(await finalState(query)).toEqual(granted(700n, true));
    const last = await draw(700n);
    expect(await chain.permitState(query)).toEqual(granted(700n, true));
    expect(await finalState(query)).toEqual({ state: "used", txHash: last, chargedAtomic: CAP });
  });

  it("may be revoked after the first draw, before its deadline", async () => {
    const { query, submit, draw } = await permit();
    await submit();
    await draw(1n);
    expect(await finalState(query)).toEqual(granted(CAP - 1n, true));
  });

  it("is used with the sum of its draws after its revocation is final", async () => {
    const { owner, query, submit, draw } = await permit();
    await submit();
    const nonce = randomNonce();
    const other = await testChain.authorize(owner, payTo, 50n, (await testChain.now()) + 60n, nonce);
    await facilitator.callUsdc("transferWithAuthorization", other);
    await owner.callUsdc("transfer", [payTo, 70n]);
    await draw(300n);
    await testChain.finalize();
    const revocation = await permit(1n, owner, facilitator, 0n);
    const treasury = await testChain.createSigner();
    // The spender draws again before the revocation is mined, and within its block.
    await draw(20n);
    const [last] = await testChain.inOneBlock([
      () => facilitator.callUsdc("transferFrom", [owner.address, payTo, 3n]),
      () => treasury.callUsdc("permit", revocation.signed),
    ]);
    expect(await chain.permitState(query)).toEqual(granted(700n, true));
    expect(await finalState(query)).toEqual({ state: "used", txHash: last, chargedAtomic: 323n });
    await testChain.advanceTime(86_400n);
    expect(await finalState(query)).toEqual({ state: "used", txHash: last, chargedAtomic: 323n });
  });

  it("is dead after its revocation without a draw, once its deadline has passed", async () => {
    const { owner, query, submit } = await permit();
    await submit();
    await (await permit(1n, owner, facilitator, 0n)).submit();
    expect(await finalState(query)).toEqual({ state: "open" });
    await testChain.advanceTime(92n);
    expect(await finalState(query)).toEqual({ state: "dead" });
  });

  it("is distinguished from other permits with the same cap and spender", async () => {
    const first = await permit();
    await first.submit();
    const lastDraw = await first.draw(CAP);
    const second = await permit(1n, first.owner);
    expect(await finalState(second.query)).toEqual({ state: "open" });
    await second.submit();
    await second.draw(10n);
    expect(await finalState(second.query)).toEqual(granted(CAP - 10n, true, 2n));
    // The allowance now belongs to the second permit.
    expect(await chain.permitState(first.query)).toEqual({ state: "used", txHash: lastDraw, chargedAtomic: CAP });
  });

  it("is charged the draws before its replacement by another permit of the same spender", async () => {
    const first = await permit();
    await first.submit();
    await first.draw(100n);
    const drawn = await first.draw(300n);
    await first.owner.callUsdc("transfer", [payTo, 70n]);
    const second = await permit(1n, first.owner);
    await second.submit();
    await second.draw(700n);
    expect(await finalState(second.query)).toEqual(granted(300n, true, 2n));
    expect(await chain.permitState(first.query)).toEqual({ state: "used", txHash: drawn, chargedAtomic: 400n });
  });

  it("is charged by its allowance if other transfers could be draws, and is unknown without old states", async () => {
    const other = await permit();
    await other.submit();
    const drawn = await other.draw(5n);
    await other.owner.callUsdc("approve", [PERMIT2, CAP]);
    const upto = { facilitator: facilitator.address, to: payTo };
    const deadline = (await testChain.now()) + 60n;
    await facilitator.settleUpto(
      await testChain.upto(other.owner, upto, CAP, 5n, hexToBigInt(randomNonce()), deadline),
    );
    await (await permit(1n, other.owner, facilitator, 0n)).submit();
    expect(await finalState(other.query)).toEqual({ state: "used", txHash: drawn, chargedAtomic: 5n });
    await testChain.mine(400);
    expect(await chain.permitState(other.query)).toEqual({ state: "used", txHash: null, chargedAtomic: null });
  });

  it("is dead if another permit used its nonce", async () => {
    const otherSpender = await testChain.createSigner();
    const queried = await permit();
    const competing = await permit(0n, queried.owner, otherSpender);
    await competing.submit();
    const txHash = await competing.draw(CAP);
    expect(await finalState(competing.query)).toEqual({ state: "used", txHash, chargedAtomic: CAP });
    expect(await chain.permitState(queried.query)).toEqual({ state: "open" });
    await testChain.advanceTime(92n);
    expect(await finalState(queried.query)).toEqual({ state: "dead" });
  });

  it("is not confused with an allowance that the owner approved directly", async () => {
    const { owner, query, submit, draw } = await permit();
    await owner.callUsdc("approve", [facilitator.address, CAP]);
    expect(await finalState(query)).toEqual({ state: "open" });
    await submit();
    await draw(1n);
    await owner.callUsdc("approve", [payTo, CAP]);
    expect(await finalState(query)).toEqual(granted(CAP - 1n, true));
  });

  it("is granted again after a reorganisation removes its revocation", async () => {
    const { owner, query, submit, draw } = await permit();
    await submit();
    await draw(1n);
    await testChain.finalize();
    const snapshot = await testChain.rpc("evm_snapshot", []);
    const revocation = await permit(1n, owner, facilitator, 0n);
    await revocation.submit();
    expect(await chain.permitState(query)).toEqual(granted(CAP - 1n, true));
    await testChain.rpc("evm_revert", [snapshot]);
    await draw(9n);
    expect(await finalState(query)).toEqual(granted(CAP - 10n, true));
  });
});

describe("a Permit2 transfer", () => {
  async function transfer(amount: bigint, payer?: Awaited<ReturnType<typeof testChain.createSigner>>) {
    const owner = payer ?? (await testChain.createSigner(10n * CAP));
    const nonce = hexToBigInt(randomNonce());
    const deadline = (await testChain.now()) + 60n;
    const signed = await testChain.permit2(owner, facilitator.address, payTo, CAP, amount, nonce, deadline);
    return {
      owner,
      query: {
        asset: testChain.usdc,
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

  it("is open until its deadline, then dead", async () => {
    const { query } = await transfer(CAP);
    expect(await chain.permit2State(query)).toEqual({ state: "open" });
    await testChain.advanceTime(92n);
    expect(await chain.permit2State(query)).toEqual({ state: "dead" });
  });

  it("is found with its charge among other transfers between the same addresses", async () => {
    const one = await transfer(400n);
    expect(await chain.permit2AllowanceAtomic(testChain.usdc, one.owner.address)).toBe(0n);
    await one.owner.callUsdc("approve", [PERMIT2, 5n * CAP]);
    expect(await chain.permit2AllowanceAtomic(testChain.usdc, one.owner.address)).toBe(5n * CAP);
    const two = await transfer(CAP, one.owner);
    const three = await transfer(400n, one.owner);
    const first = await one.settle();
    const second = await two.settle();
    // A reorganisation could replace the first charge by the whole amount. The second is the whole amount.
    expect(await chain.permit2State(one.query)).toEqual({ state: "used", txHash: first, chargedAtomic: null });
    expect(await chain.permit2State(two.query)).toEqual({ state: "used", txHash: second, chargedAtomic: CAP });
    await testChain.finalize();
    for (const claimedTxHash of [null, first, second]) {
      const used = (txHash: Hex, chargedAtomic: bigint) => ({ state: "used", txHash, chargedAtomic });
      expect(await chain.permit2State({ ...one.query, claimedTxHash })).toEqual(used(first, 400n));
      expect(await chain.permit2State({ ...two.query, claimedTxHash })).toEqual(used(second, CAP));
      expect(await chain.permit2State({ ...three.query, claimedTxHash })).toEqual({ state: "open" });
    }
  });

  it("moves nothing after its nonce is used, although an allowance of Permit2 remains", async () => {
    const { owner, settle } = await transfer(400n);
    // Gas sponsoring: the facilitator submits the owner's permit for Permit2.
    const deadline = (await testChain.now()) + 60n;
    await facilitator.callUsdc("permit", await testChain.permit(owner, PERMIT2, CAP, 0n, deadline));
    await settle();
    expect(await chain.permit2AllowanceAtomic(testChain.usdc, owner.address)).toBe(CAP - 400n);
    await expect(settle()).rejects.toThrow();
    await expect(facilitator.callUsdc("transferFrom", [owner.address, payTo, 1n])).rejects.toThrow();
    const forged = await testChain.permit2(facilitator, facilitator.address, payTo, CAP, 1n, 9n, deadline);
    await expect(
      facilitator.callPermit2("permitTransferFrom", [forged[0], forged[1], owner.address, forged[3]]),
    ).rejects.toThrow();
  });

  it("is used with an unknown transaction and charge if the owner invalidated its nonce", async () => {
    const { owner, query } = await transfer(CAP);
    await owner.callPermit2("invalidateUnorderedNonces", [query.nonce >> 8n, 1n << (query.nonce & 0xffn)]);
    expect(await chain.permit2State(query)).toEqual({ state: "used", txHash: null, chargedAtomic: null });
  });
});

describe("an RPC without logs", () => {
  it("still proves that an authorization is used", async () => {
    const proxy = await startRpcProxy(async (body) =>
      body.includes("eth_getLogs") ? "no logs here" : forward(testChain.rpcUrl, body),
    );
    const payer = await testChain.createSigner(CAP);
    const [nonce, validBefore] = [randomNonce(), (await testChain.now()) + 60n];
    const txHash = await facilitator.callUsdc(
      "transferWithAuthorization",
      await testChain.authorize(payer, payTo, CAP, validBefore, nonce),
    );
    const loglessChain = createEvmChain(NETWORKS["base-sepolia"], proxy.url);
    const query = { asset: testChain.usdc, from: payer.address, to: payTo, valueAtomic: CAP, nonce, validBefore };
    expect(await loglessChain.transferAuthorizationState(query)).toEqual({
      state: "used",
      txHash: null,
      chargedAtomic: null,
    });
    expect(await loglessChain.transferAuthorizationState({ ...query, claimedTxHash: txHash })).toEqual({
      state: "used",
      txHash,
      chargedAtomic: CAP,
    });
    await proxy.close();
  });
});
