import { PaymentPayloadV1Schema, PaymentPayloadV2Schema } from "@x402/core/schemas";
import { beforeAll, describe, expect, it } from "vitest";
import { readStoredAuthorization } from "../../../src/payments/x402/authorization.ts";
import { buildAuthorization } from "../../../src/payments/x402/build-authorization.ts";
import { encodePayment, MAX_PAYMENT_HEADER_CHARS } from "../../../src/payments/x402/payload.ts";
import { PERMIT2_ADDRESS } from "../../../src/payments/x402/permit2.ts";
import { signAuthorization } from "../../../src/payments/x402/sign.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import type { SealedWallet } from "../../../src/wallet/vault.ts";
import {
  bodyV1,
  bodyV2,
  buildDeps,
  chosenFrom,
  entryV1,
  entryV2,
  FACILITATOR,
  NOW_SECONDS,
  OFFER,
  PAYEE,
  solanaEntry,
  sponsoring,
  UPTO_V2,
  vault,
} from "./fixtures.ts";

let wallet: SealedWallet;
beforeAll(async () => {
  wallet = await vault.create("wal_test", null);
});

const build = (body: unknown, from = buildDeps()) => buildAuthorization(from, chosenFrom(body), wallet);

const KINDS = [
  ["exact, version 1", bodyV1(entryV1())],
  ["exact, version 2", bodyV2(entryV2())],
  ["upto by permit, version 1", bodyV1(entryV1({ scheme: "upto" }))],
  ["upto by permit, version 2", bodyV2(entryV2({ scheme: "upto", extra: { assetTransferMethod: "eip2612" } }))],
  ["upto by Permit2", sponsoring(entryV2(UPTO_V2))],
  ["exact on Solana, version 1", bodyV1(solanaEntry())],
  [
    "exact on Solana, version 2",
    bodyV2({ ...solanaEntry(), maxAmountRequired: undefined, amount: "10000", network: "solana:devnet" }),
  ],
] as const;

describe.each(KINDS)("a payment with %s", (_name, body) => {
  it("has the same header after its authorization is stored and read as JSON", async () => {
    const stored = await build(body);
    const first = encodePayment(stored, await signAuthorization(stored.authorization, wallet, vault));
    const reread = readStoredAuthorization(JSON.parse(JSON.stringify(stored)));
    expect(reread).toEqual(JSON.parse(JSON.stringify(stored)));
    const second = encodePayment(reread, await signAuthorization(reread.authorization, wallet, vault));
    expect(second.header).toBe(first.header);
  });

  it("conforms to the payload schema of @x402/core", async () => {
    const stored = await build(body);
    const { header, headerName, proof } = encodePayment(
      stored,
      await signAuthorization(stored.authorization, wallet, vault),
    );
    const decoded = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
    expect(decoded).toEqual(JSON.parse(JSON.stringify(proof)));
    const schema = stored.x402Version === 1 ? PaymentPayloadV1Schema : PaymentPayloadV2Schema;
    schema.parse(decoded);
    expect(headerName).toBe(stored.x402Version === 1 ? "X-PAYMENT" : "PAYMENT-SIGNATURE");
  });
});

describe("a payment header", () => {
  const encode = async (body: unknown, from = buildDeps()) => {
    const stored = await build(body, from);
    return encodePayment(stored, await signAuthorization(stored.authorization, wallet, vault));
  };

  it("of version 1 contains scheme and network, numbers as strings, and fewer than 750 bytes", async () => {
    const { proof, header } = await encode(bodyV1(entryV1()));
    expect(proof).toMatchObject({ x402Version: 1, scheme: "exact", network: "base-sepolia" });
    expect(proof["payload"]).toEqual({
      signature: expect.stringMatching(/^0x[0-9a-f]{128}1[bc]$/),
      authorization: {
        from: wallet.evmAddress,
        to: PAYEE,
        value: "10000",
        validAfter: expect.any(String),
        validBefore: expect.any(String),
        nonce: expect.any(String),
      },
    });
    expect(header.length).toBeLessThan(750);
  });

  it("of version 2 echoes the accepted requirements and the resource unchanged", async () => {
    const odd = entryV2({
      payTo: PAYEE.toLowerCase(),
      extra: { name: "USDC", version: "2", note: "ünïcode" },
      unknown: [1, null],
    });
    const { proof } = await encode(bodyV2(odd));
    expect(proof["accepted"]).toEqual(odd);
    expect(proof["resource"]).toEqual(bodyV2()["resource"]);
  });

  it("of an EIP-2612 permit has the spender as `to` and the deadline as `validBefore`", async () => {
    const { proof } = await encode(bodyV1(entryV1({ scheme: "upto" })));
    expect((proof["payload"] as { authorization: unknown }).authorization).toEqual({
      from: wallet.evmAddress,
      to: FACILITATOR,
      value: "10000",
      nonce: "5",
      validBefore: String(NOW_SECONDS + 60),
    });
  });

  it("contains the Permit2 allowance permit in eip2612GasSponsoring, with the seller's members unchanged", async () => {
    const { proof } = await encode(sponsoring(entryV2(UPTO_V2)));
    expect(proof["extensions"]).toEqual({
      eip2612GasSponsoring: {
        info: {
          ...OFFER,
          from: wallet.evmAddress,
          asset: NETWORKS["base-sepolia"].usdc.address,
          spender: PERMIT2_ADDRESS,
          amount: "10000",
          nonce: "5",
          deadline: String(NOW_SECONDS + 60),
          signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
        },
      },
    });
  });

  it("is at most 8 KB if the seller's members are larger", async () => {
    const filler = "é".repeat(1_080);
    const body = {
      ...sponsoring(entryV2({ ...UPTO_V2, extra: { ...UPTO_V2.extra, filler } })),
      resource: { url: `https://merchant.example/${"x".repeat(900)}`, description: "y".repeat(50_000) },
      extensions: {
        eip2612GasSponsoring: { info: { description: "z".repeat(900) } },
        other: { info: "w".repeat(50_000) },
      },
    };
    const { header, proof } = await encode(body);
    expect(proof["resource"]).toEqual({ url: body.resource.url });
    expect(header.length).toBeGreaterThan(6_000);
    expect(header.length).toBeLessThanOrEqual(MAX_PAYMENT_HEADER_CHARS);
  });
});
