import { PaymentPayloadV1Schema, PaymentPayloadV2Schema } from "@x402/core/schemas";
import { beforeAll, describe, expect, it } from "vitest";
import { readStoredAuthorization } from "../../../src/payments/x402/authorization.ts";
import { buildAuthorization } from "../../../src/payments/x402/build-authorization.ts";
import { addPaymentIdentifier } from "../../../src/payments/x402/extensions.ts";
import { MAX_PAYMENT_HEADER_CHARS } from "../../../src/payments/x402/header-limit.ts";
import { decodePayment, encodePayment } from "../../../src/payments/x402/payload.ts";
import { PERMIT2_ADDRESS } from "../../../src/payments/x402/permit2.ts";
import { parsePaymentRequired } from "../../../src/payments/x402/requirements.ts";
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
  FEE_PAYER,
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
    const encoded = encodePayment(stored, await signAuthorization(stored.authorization, wallet, vault));
    const decoded = decodePayment(encoded);
    const schema = stored.x402Version === 1 ? PaymentPayloadV1Schema : PaymentPayloadV2Schema;
    schema.parse(decoded);
    expect(encoded.headerName).toBe(stored.x402Version === 1 ? "X-PAYMENT" : "PAYMENT-SIGNATURE");
  });
});

describe("a payment header", () => {
  const encode = async (body: unknown, from = buildDeps()) => {
    const stored = await build(body, from);
    const encoded = encodePayment(stored, await signAuthorization(stored.authorization, wallet, vault));
    return { ...encoded, proof: decodePayment(encoded) };
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
        schema: {},
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

  it("of version 2 echoes resource and extensions unchanged, known or not, and adds nothing", async () => {
    const body = {
      ...bodyV2(entryV2()),
      resource: { url: "https://merchant.example/", description: "y".repeat(2_000), tags: ["b", "a"] },
      extensions: { zeta: { info: { b: 1, a: [] } }, bazaar: { schema: { b: 2, a: 1 } }, odd: null, text: "x" },
    };
    const { header, proof } = await encode(body);
    expect(proof["resource"]).toEqual(body.resource);
    expect(proof["extensions"]).toEqual(body.extensions);
    // In the seller's order: a database that reorders members would change the bytes.
    const json = Buffer.from(header, "base64").toString("utf8");
    expect(json).toContain(`"extensions":${JSON.stringify(body.extensions)}`);
    expect(json).toContain(`"resource":${JSON.stringify(body.resource)}`);
  });

  it("of a payment stored by version 0.1.0 is still encoded", async () => {
    const stored = await build(bodyV2(entryV2()));
    const former = { network: "eip155:84532", accepted: entryV2(), resource: { url: "x" }, gasSponsoring: null };
    const reread = readStoredAuthorization(JSON.parse(JSON.stringify({ ...stored, echo: former })));
    const encoded = encodePayment(reread, await signAuthorization(reread.authorization, wallet, vault));
    expect(decodePayment(encoded)).toMatchObject({ accepted: entryV2(), resource: { url: "x" } });
    expect(decodePayment(encoded)).not.toHaveProperty("extensions");
  });

  it("of a payment stored by version 0.1.0 still has the permit that its Permit2 transfer needs", async () => {
    const stored = await build(sponsoring(entryV2(UPTO_V2)));
    const signature = await signAuthorization(stored.authorization, wallet, vault);
    const former = { network: "eip155:84532", accepted: entryV2(UPTO_V2), resource: null, gasSponsoring: OFFER };
    const reread = readStoredAuthorization(JSON.parse(JSON.stringify({ ...stored, echo: former })));
    const infoOf = (it: typeof stored) => {
      const { extensions } = decodePayment(encodePayment(it, signature)) as { extensions: typeof offered };
      return extensions.eip2612GasSponsoring.info;
    };
    const offered = sponsoring().extensions;
    expect(infoOf(reread)).toHaveProperty("signature");
    expect(infoOf(reread)).toEqual(infoOf(stored));
  });

  it.each([
    ["eip3009", entryV2({ amount: "9".repeat(18) })],
    ["permit", entryV2({ scheme: "upto", amount: "9".repeat(18), extra: { assetTransferMethod: "eip2612" } })],
    ["permit2", entryV2({ ...UPTO_V2, amount: "9".repeat(18) })],
    [
      "solana",
      {
        ...solanaEntry(),
        maxAmountRequired: undefined,
        amount: "9".repeat(18),
        network: "solana:devnet",
        extra: { feePayer: FEE_PAYER, memo: "m".repeat(256) },
      },
    ],
  ])("with the method %s is not longer than the bound by which offers are refused", async (_method, entry) => {
    const extensions = { eip2612GasSponsoring: {}, "payment-identifier": {} };
    // Nearly as large as the limit allows.
    const fillUntilRefused = (sizeChars: number) => ({
      ...bodyV2({ ...entry, filler: "x".repeat(sizeChars) }),
      extensions: addPaymentIdentifier(extensions, "i".repeat(43)),
    });
    let sizeChars = 9_216;
    while (parsePaymentRequired({ body: fillUntilRefused(sizeChars) }).entries[0]?.ok === false) sizeChars -= 8;
    const { header } = await encode(fillUntilRefused(sizeChars));
    expect(header.length).toBeGreaterThan(MAX_PAYMENT_HEADER_CHARS - 1_500);
    expect(header.length).toBeLessThanOrEqual(MAX_PAYMENT_HEADER_CHARS - 60);
  });
});
