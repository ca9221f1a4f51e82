import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationExpiry,
  readStoredAuthorization,
  usesPermitNonce,
} from "../../../src/payments/x402/authorization.ts";
import { buildAuthorization } from "../../../src/payments/x402/build-authorization.ts";
import { chooseRequirement, type NoAcceptableRequirementError } from "../../../src/payments/x402/choice.ts";
import { PERMIT2_ADDRESS, PERMIT2_SPENDERS } from "../../../src/payments/x402/permit2.ts";
import { parsePaymentRequired } from "../../../src/payments/x402/requirements.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import type { SealedWallet } from "../../../src/wallet/vault.ts";
import {
  ANY_NETWORK,
  bodyV1,
  bodyV2,
  buildDeps,
  chosenFrom,
  entryV1,
  entryV2,
  FACILITATOR,
  FEE_PAYER,
  NOW_SECONDS,
  PAYEE,
  SOLANA_PAYEE,
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

describe("an authorization", () => {
  it("of exact on EVM is valid from ten minutes ago until maxTimeoutSeconds from now", async () => {
    const { authorization } = await build(bodyV1(entryV1()));
    expect(authorization).toEqual({
      kind: "eip3009",
      chainId: 84532,
      asset: NETWORKS["base-sepolia"].usdc.address,
      domain: { name: "USDC", version: "2" },
      from: wallet.evmAddress,
      to: PAYEE,
      valueAtomic: "10000",
      validAfter: String(NOW_SECONDS - 600),
      validBefore: String(NOW_SECONDS + 60),
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(authorizationExpiry(authorization)).toEqual(new Date((NOW_SECONDS + 60) * 1_000));
  });

  it("is valid for at most an hour, regardless of maxTimeoutSeconds", async () => {
    const long = { maxTimeoutSeconds: 1e9 };
    for (const entry of [entryV1(long), entryV1({ ...long, scheme: "upto" }), entryV2({ ...long, ...UPTO_V2 })]) {
      const { authorization } = await build(entry, buildDeps(10_000n));
      expect(authorizationExpiry(authorization)).toEqual(new Date((NOW_SECONDS + 3_600) * 1_000));
    }
  });

  it("has a new nonce each time", async () => {
    const nonces = await Promise.all(Array.from({ length: 20 }, () => build(bodyV1(entryV1()))));
    expect(new Set(nonces.map((it) => it.authorization.kind === "eip3009" && it.authorization.nonce)).size).toBe(20);
  });

  it("of upto by EIP-2612 has the pinned spender, the token's next nonce and a window starting after the chain's response", async () => {
    const { authorization } = await build(
      bodyV1(entryV1({ scheme: "upto" })),
      buildDeps(0n, NOW_SECONDS * 1_000 - 60_000),
    );
    expect(authorization).toMatchObject({
      kind: "permit",
      owner: wallet.evmAddress,
      spender: FACILITATOR,
      nonce: "5",
      valueAtomic: "10000",
    });
    expect(authorization).toMatchObject({ deadline: String(NOW_SECONDS + 60) });
    expect(usesPermitNonce(authorization)).toBe(true);
  });

  it("of upto by Permit2 binds recipient and facilitator in the witness", async () => {
    const { authorization } = await build(bodyV2(entryV2(UPTO_V2)), buildDeps(10_000n));
    expect(authorization).toMatchObject({
      kind: "permit2",
      spender: PERMIT2_SPENDERS.upto,
      amountAtomic: "10000",
      deadline: String(NOW_SECONDS + 60),
      witness: { to: PAYEE, facilitator: FACILITATOR, validAfter: String(NOW_SECONDS - 600) },
      allowancePermit: null,
    });
    expect(usesPermitNonce(authorization)).toBe(false);
  });

  it("of exact by Permit2 has the exact spender and no facilitator", async () => {
    const extra = { assetTransferMethod: "permit2", facilitatorAddress: FACILITATOR };
    const { authorization } = await build(bodyV2(entryV2({ extra })), buildDeps(10_000n));
    expect(authorization).toMatchObject({ spender: PERMIT2_SPENDERS.exact, witness: { to: PAYEE, facilitator: null } });
  });

  it("by Permit2 without an allowance includes a permit if the seller sponsors it, and is refused otherwise", async () => {
    const { authorization } = await build(sponsoring(entryV2(UPTO_V2)), buildDeps(9_999n));
    expect(authorization).toMatchObject({
      allowancePermit: { kind: "permit", spender: PERMIT2_ADDRESS, valueAtomic: "10000", nonce: "5" },
    });
    expect(usesPermitNonce(authorization)).toBe(true);
    await expect(build(bodyV2(entryV2(UPTO_V2)), buildDeps(9_999n))).rejects.toMatchObject({
      code: "no_acceptable_requirement",
      considered: [{ reason: "permit2_allowance_missing" }],
    });
  });

  it("that the chain state rules out is replaced by the fallback offer", async () => {
    const required = parsePaymentRequired({ body: bodyV2(entryV2({ ...UPTO_V2, amount: "1" }), entryV2()) });
    const { chosen } = chooseRequirement(required, ANY_NETWORK);
    expect(chosen.index).toBe(0);
    const refusal = await buildAuthorization(buildDeps(), chosen, wallet).catch(
      (error: NoAcceptableRequirementError) => error,
    );
    const unusable = (refusal as NoAcceptableRequirementError).considered;
    const second = chooseRequirement(required, { ...ANY_NETWORK, unusable });
    expect(second.chosen.index).toBe(1);
    expect(second.considered[0]).toMatchObject({ chosen: false, reason: "permit2_allowance_missing" });
  });

  it("of exact on Solana contains the message, its blockhash and its last valid block height", async () => {
    const { authorization } = await build(bodyV1(solanaEntry()));
    expect(authorization).toMatchObject({
      kind: "solana",
      payer: wallet.solanaAddress,
      feePayer: FEE_PAYER,
      payTo: SOLANA_PAYEE,
      blockhash: FEE_PAYER,
      lastValidBlockHeight: 1234,
    });
    expect(authorizationExpiry(authorization)).toBeNull();
  });

  it("on Solana is refused if the seller names the payer as fee payer", async () => {
    const body = bodyV1(solanaEntry({ extra: { feePayer: wallet.solanaAddress } }));
    await expect(build(body)).rejects.toMatchObject({ considered: [{ reason: "fee_payer_conflict" }] });
  });
});

describe("a row with other content", () => {
  it("is refused", async () => {
    const stored = await build(bodyV1(entryV1()));
    expect(() => readStoredAuthorization({ ...stored, network: "mars" })).toThrow();
    expect(() =>
      readStoredAuthorization({ ...stored, authorization: { ...stored.authorization, kind: "blank" } }),
    ).toThrow();
    expect(() =>
      readStoredAuthorization({ ...stored, authorization: { ...stored.authorization, to: "0x12" } }),
    ).toThrow();
  });
});
