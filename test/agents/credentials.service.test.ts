/** Agents' credentials, judged from outside: by what is published, with a verifier that shares none of our code. */
import { digest, ES256 } from "@sd-jwt/crypto-nodejs";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import { decodeJwt, decodeProtectedHeader, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyPresentation } from "../../examples/verify-credential.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { credentialRoom, type TestAgent } from "./credential-room.ts";

const SHOP = "https://shop.example";
let stack: Stack;
let agent: TestAgent;
const room = credentialRoom(() => stack);

beforeAll(async () => {
  stack = await sharedStack();
  // Number 0 is an agent like any other.
  agent = await room.agent();
});

const expected = (more: object = {}) => ({
  issuers: [stack.baseUrl],
  kind: "trust" as const,
  audience: SHOP,
  nonce: "n-1",
  ...more,
});
const show = async (of: TestAgent, more: object = {}) =>
  (await room.present(of, { kind: "TRUST", audience: SHOP, nonce: "n-1", disclose: ["trust_score"], ...more }))
    .presentation;

describe("a registered agent", () => {
  it("is given both credentials by the job, and shows them over REST", async () => {
    await expect.poll(() => room.credential(agent)).toMatchObject({ hasCredential: true });
    const { trustCredential, delegationCredential, expiresAt } = await room.credential(agent);
    const evmAddress = (await stack.service.deps.wallets.ofAccount(agent.accountId)).evmAddress;
    const read = (sdJwt: string) => new SDJwtVcInstance({ hasher: digest }).getClaims(sdJwt);
    const plain = {
      iss: stack.baseUrl,
      cnf: { jwk: { kty: "EC", crv: "P-256", x: expect.any(String), y: expect.any(String) } },
      status: { status_list: { idx: expect.any(Number), uri: `${stack.baseUrl}/agents/status-lists/1` } },
      agent_id: 0,
      chain: "eip155:84532",
      agent_registry: "eip155:84532:0x8004A818BFB912233c491871b3d84c89A494BD9e",
    };
    const today = new Date().toISOString().slice(0, 10);
    expect(await read(trustCredential)).toMatchObject({
      ...plain,
      vct: `${stack.baseUrl}/agents/credential-types/trust`,
      sub: `did:pkh:eip155:84532:${evmAddress}`,
      registration: `${stack.baseUrl}/agents/${agent.agentRecordId}/registration.json`,
      trust_score: expect.any(Number),
      trust_score_parts: { age: { points: 0, max_points: 20 } },
      statements: { wallet_linked: true, registered_on: today, account_opened_on: today, email_verified: true },
    });
    expect(await read(delegationCredential)).toMatchObject({
      ...plain,
      vct: `${stack.baseUrl}/agents/credential-types/delegation`,
      sub: `did:web:${encodeURIComponent(new URL(stack.baseUrl).host)}:users:${agent.accountId}`,
      agent: `did:pkh:eip155:84532:${evmAddress}`,
      payments_enabled: true,
      limits: { per_transaction_usd: null, daily_usd: null, monthly_usd: null },
      scopes: ["agent:read", "balance:read", "email:read", "payments:sign", "transactions:read"],
      networks: expect.arrayContaining(["eip155:8453", "eip155:84532"]),
    });
    expect(decodeProtectedHeader(trustCredential.split("~")[0] ?? "")).toMatchObject({
      alg: "ES256",
      typ: "dc+sd-jwt",
    });
    const { iat = 0, exp = 0, ...rest } = decodeJwt(trustCredential.split("~")[0] ?? "");
    expect(exp - iat).toBe(30 * 86_400);
    expect(expiresAt).toBe(new Date(exp * 1000).toISOString());
    // Whatever can be kept back stands in the signed part as a digest only.
    expect(Object.keys(rest).toSorted()).toEqual(["_sd", "_sd_alg", "cnf", "iss", "status", "vct"]);
    // 128 bits of salt in each disclosure (RFC 9901, section 9.3).
    for (const disclosure of trustCredential.split("~").slice(1, -1)) {
      const [salt] = JSON.parse(Buffer.from(disclosure, "base64url").toString());
      expect(Buffer.from(salt, "base64url")).toHaveLength(16);
    }
  });

  it("has `hasCredential: false`, and nothing else, until it is registered, and without an agent", async () => {
    const account = await stack.account();
    expect((await stack.rest(account.token, "GET", "/api/agent/credential")).json).toEqual({ hasCredential: false });
    expect(await stack.rest(null, "GET", "/api/agent/credential")).toMatchObject({ status: 401 });
  });
});

describe("a presentation", () => {
  it("verifies with what is published, and shows the claims named and no other", async () => {
    const { presentation, disclosed } = await room.present(agent, {
      kind: "TRUST",
      audience: SHOP,
      nonce: "n-1",
      disclose: ["agent_id", "trust_score", "statements.wallet_linked"],
    });
    expect(disclosed).toEqual(["agent_id", "statements.wallet_linked", "trust_score"]);
    const claims = await verifyPresentation(presentation, expected());
    expect(claims).toMatchObject({ agent_id: 0, statements: { wallet_linked: true } });
    const { trust_score: score, statements, ...rest } = claims;
    expect(score).toEqual(expect.any(Number));
    expect(statements).toEqual({ wallet_linked: true });
    expect(Object.keys(rest).toSorted()).toEqual(["agent_id", "cnf", "exp", "iat", "iss", "status", "vct"]);
    const nothing = await verifyPresentation(await show(agent, { disclose: [] }), expected());
    expect(Object.keys(nothing).toSorted()).toEqual(["cnf", "exp", "iat", "iss", "status", "vct"]);
    const limits = await show(agent, { kind: "DELEGATION", disclose: ["limits"] });
    expect(await verifyPresentation(limits, expected({ kind: "delegation" }))).toMatchObject({
      limits: { per_transaction_usd: null, daily_usd: null, monthly_usd: null },
    });
  });

  it("verifies with the SD-JWT library's own verifier, key binding and status included", async () => {
    const keys = (await (await fetch(`${stack.baseUrl}/agents/credential-keys.json`)).json()) as { keys: JWK[] };
    const presentation = await show(agent);
    const { kid } = decodeProtectedHeader(presentation.split("~")[0] ?? "");
    const verifier = await ES256.getVerifier(keys.keys.find((key) => key.kid === kid) ?? {});
    const judge = new SDJwtVcInstance({
      hasher: digest,
      verifier,
      kbVerifier: async (data, signature, { cnf }) =>
        (await ES256.getVerifier((cnf as { jwk: object }).jwk))(data, signature),
      loadTypeMetadataFormat: true,
    });
    const judged = await judge.verify(presentation, { keyBindingNonce: "n-1", requiredClaimKeys: ["trust_score"] });
    expect(judged).toMatchObject({
      kb: { payload: { aud: SHOP, nonce: "n-1" }, header: { alg: "ES256", typ: "kb+jwt" } },
      typeMetadata: { mergedTypeMetadata: { name: "Agent trust" } },
    });
    await expect(judge.verify(presentation, { keyBindingNonce: "n-2" })).rejects.toThrow();
  });

  it.each<[string, object]>([
    ["another audience", { audience: "https://other.example" }],
    ["another nonce", { nonce: "n-2" }],
    ["another kind", { kind: "delegation" }],
    ["an issuer that is not trusted", { issuers: ["https://satchel.example"] }],
  ])("does not verify for %s", async (_which, more) => {
    const presentation = await show(agent);
    await verifyPresentation(presentation, expected());
    await expect(verifyPresentation(presentation, expected(more))).rejects.toThrow();
  });

  it("does not verify once anything in it is changed, taken out, put in, or put together from two", async () => {
    const presentation = await show(agent, { disclose: ["agent_id", "trust_score"] });
    const other = await show(await room.holder(), { disclose: ["agent_id", "trust_score"] });
    const parts = presentation.split("~");
    const [credential = "", first = "", second = "", proof = ""] = parts;
    const otherParts = other.split("~");
    const better = Buffer.from(JSON.stringify(["salt", "trust_score", 100])).toString("base64url");
    const [header = "", payload = "", signature = ""] = credential.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const raised = Buffer.from(JSON.stringify({ ...claims, trust_score: 100 })).toString("base64url");
    const unsigned = Buffer.from(JSON.stringify({ alg: "none", typ: "dc+sd-jwt" })).toString("base64url");
    const forgeries = [
      [`${header}.${raised}.${signature}`, first, second, proof],
      [`${unsigned}.${raised}.`, first, second, proof],
      [credential, first, proof],
      [credential, first, second, better, proof],
      [credential, first, better, proof],
      [credential, first, second, ""],
      [credential, first, second, otherParts.at(-1) ?? ""],
      [otherParts[0] ?? "", first, second, proof],
      [credential, otherParts[1] ?? "", otherParts[2] ?? "", proof],
    ];
    for (const forged of forgeries) {
      await expect(verifyPresentation(forged.join("~"), expected()), forged.join("~")).rejects.toThrow();
    }
    await verifyPresentation([credential, first, second, proof].join("~"), expected());
  });
});

describe("a revoked credential", () => {
  it("does not verify any more, while others on its list do", async () => {
    const [gone, stays] = [await room.holder(), await room.holder()];
    const presentation = await show(gone);
    await verifyPresentation(presentation, expected());
    const { prisma } = stack.service.deps.db;
    await prisma.agent.update({
      where: { id: gone.agentRecordId },
      data: { status: "revoked", revokedAt: new Date(), credentialsDueAt: new Date() },
    });
    // At once no longer to be had here; on the list as soon as the job has seen it.
    expect(await room.credential(gone)).toEqual({ hasCredential: false });
    await expect
      .poll(() => verifyPresentation(presentation, expected()).catch(({ message }) => message))
      .toBe("The credential is revoked.");
    await verifyPresentation(await show(stays), expected());
    await expect
      .poll(async () => (await prisma.agent.findUniqueOrThrow({ where: { id: gone.agentRecordId } })).credentialsDueAt)
      .toBeNull();
    // Reinstated it has new ones; the old stay revoked.
    await prisma.agent.update({
      where: { id: gone.agentRecordId },
      data: { status: "active", revokedAt: null, credentialsDueAt: new Date() },
    });
    await expect.poll(() => room.credential(gone)).toMatchObject({ hasCredential: true });
    await verifyPresentation(await show(gone), expected());
    await expect(verifyPresentation(presentation, expected())).rejects.toThrow("The credential is revoked.");
  });
});
