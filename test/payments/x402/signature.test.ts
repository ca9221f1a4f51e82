import { createPublicKey, verify } from "node:crypto";
import fc from "fast-check";
import { hashTypedData, recoverAddress, toHex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import type { Authorization } from "../../../src/payments/x402/authorization.ts";
import { eip712Digest } from "../../../src/payments/x402/eip712.ts";
import { PERMIT2_ADDRESS, PERMIT2_SPENDERS } from "../../../src/payments/x402/permit2.ts";
import { signAuthorization } from "../../../src/payments/x402/sign.ts";
import { decodeBase58 } from "../../../src/platform/crypto/base58.ts";
import type { SealedWallet } from "../../../src/wallet/vault.ts";
import { vault } from "./fixtures.ts";

type Evm = Exclude<Authorization, { kind: "solana" }>;

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((it) => toHex(it));
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((it) => toHex(it));
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);
const chainId = fc.integer({ min: 1, max: 2 ** 31 });
const domain = fc.record({ name: fc.string(), version: fc.string() });

const transfer = fc.record({
  kind: fc.constant("eip3009" as const),
  chainId,
  asset: address,
  domain,
  from: address,
  to: address,
  valueAtomic: uint,
  validAfter: uint,
  validBefore: uint,
  nonce: bytes32,
});
const permit = fc.record({
  kind: fc.constant("permit" as const),
  chainId,
  asset: address,
  domain,
  owner: address,
  spender: address,
  valueAtomic: uint,
  nonce: uint,
  deadline: uint,
});
const permit2 = fc.record({
  kind: fc.constant("permit2" as const),
  chainId,
  asset: address,
  from: address,
  spender: address,
  amountAtomic: uint,
  nonce: uint,
  deadline: uint,
  witness: fc.record({ to: address, facilitator: fc.option(address), validAfter: uint }),
  allowancePermit: fc.constant(null),
});

const uint256 = (name: string) => ({ name, type: "uint256" as string });
const addressField = (name: string) => ({ name, type: "address" as string });

/** Computes the digest with viem's general encoder. */
function digestByViem(it: Evm): `0x${string}` {
  if (it.kind === "permit2") {
    const { facilitator } = it.witness;
    return hashTypedData({
      domain: { name: "Permit2", chainId: it.chainId, verifyingContract: PERMIT2_ADDRESS },
      types: {
        PermitWitnessTransferFrom: [
          { name: "permitted", type: "TokenPermissions" },
          addressField("spender"),
          uint256("nonce"),
          uint256("deadline"),
          { name: "witness", type: "Witness" },
        ],
        TokenPermissions: [addressField("token"), uint256("amount")],
        Witness: [addressField("to"), ...(facilitator ? [addressField("facilitator")] : []), uint256("validAfter")],
      },
      primaryType: "PermitWitnessTransferFrom",
      message: {
        permitted: { token: it.asset, amount: BigInt(it.amountAtomic) },
        spender: it.spender,
        nonce: BigInt(it.nonce),
        deadline: BigInt(it.deadline),
        witness: { to: it.witness.to, ...(facilitator && { facilitator }), validAfter: BigInt(it.witness.validAfter) },
      } as never,
    });
  }
  const named = { ...it.domain, chainId: it.chainId, verifyingContract: it.asset };
  if (it.kind === "permit") {
    return hashTypedData({
      domain: named,
      types: {
        Permit: [
          addressField("owner"),
          addressField("spender"),
          uint256("value"),
          uint256("nonce"),
          uint256("deadline"),
        ],
      },
      primaryType: "Permit",
      message: {
        owner: it.owner,
        spender: it.spender,
        value: BigInt(it.valueAtomic),
        nonce: BigInt(it.nonce),
        deadline: BigInt(it.deadline),
      },
    });
  }
  return hashTypedData({
    domain: named,
    types: {
      TransferWithAuthorization: [
        addressField("from"),
        addressField("to"),
        uint256("value"),
        uint256("validAfter"),
        uint256("validBefore"),
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message: {
      from: it.from,
      to: it.to,
      value: BigInt(it.valueAtomic),
      validAfter: BigInt(it.validAfter),
      validBefore: BigInt(it.validBefore),
      nonce: it.nonce,
    } as never,
  });
}

describe("an EIP-712 digest", () => {
  it.each([
    ["TransferWithAuthorization", transfer],
    ["Permit", permit],
    ["PermitWitnessTransferFrom", permit2],
  ])("of %s equals the digest of viem's general encoder", (_name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary as fc.Arbitrary<Evm>, (it) => {
        // EIP-712 allows an empty name or version; viem omits such a field from the type.
        fc.pre(it.kind === "permit2" || (it.domain.name !== "" && it.domain.version !== ""));
        expect(toHex(eip712Digest(it))).toBe(digestByViem(it));
      }),
      { numRuns: 60 },
    );
  });
});

describe("a signature", () => {
  let wallet: SealedWallet;
  beforeAll(async () => {
    wallet = await vault.create("wal_test", null);
  });
  const one = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { numRuns: 1, seed: 7 })[0] as T;

  it("recovers to the wallet and is deterministic", async () => {
    const it = { ...one(transfer), from: wallet.evmAddress };
    const signature = (await signAuthorization(it, wallet, vault)) as `0x${string}`;
    expect(await recoverAddress({ hash: digestByViem(it), signature })).toBe(wallet.evmAddress);
    expect(await signAuthorization(structuredClone(it), wallet, vault)).toBe(signature);
  });

  it("of Permit2 with an allowance permit is two concatenated signatures", async () => {
    const allowancePermit = { ...one(permit), owner: wallet.evmAddress };
    const it = { ...one(permit2), from: wallet.evmAddress, spender: PERMIT2_SPENDERS.upto, allowancePermit } as const;
    const both = await signAuthorization(it, wallet, vault);
    expect(both).toHaveLength(2 + 2 * 130);
    const [first, second] = [both.slice(0, 132), `0x${both.slice(132)}`] as [`0x${string}`, `0x${string}`];
    expect(await recoverAddress({ hash: digestByViem(it), signature: first })).toBe(wallet.evmAddress);
    expect(await recoverAddress({ hash: digestByViem(allowancePermit), signature: second })).toBe(wallet.evmAddress);
  });

  it("of a Solana message is Ed25519 in base58", async () => {
    const message = Buffer.from("any message");
    const it: Authorization = {
      kind: "solana",
      payer: wallet.solanaAddress,
      feePayer: "",
      payTo: "",
      asset: "",
      amountAtomic: "1",
      messageBase64: message.toString("base64"),
      blockhash: "",
      lastValidBlockHeight: 1,
    };
    const signature = decodeBase58(await signAuthorization(it, wallet, vault));
    const publicKey = Buffer.from(decodeBase58(wallet.solanaAddress) ?? []);
    const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), publicKey]);
    const key = createPublicKey({ key: spki, format: "der", type: "spki" });
    expect(verify(null, message, key, signature ?? Buffer.alloc(0))).toBe(true);
  });

  it("is refused for another wallet's authorization", async () => {
    await expect(signAuthorization(one(transfer), wallet, vault)).rejects.toThrow("another wallet");
    await expect(signAuthorization(one(permit), wallet, vault)).rejects.toThrow("another wallet");
  });
});
