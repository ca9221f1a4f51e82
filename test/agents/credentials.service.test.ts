/** Agent credentials from a verifier's view: checked with published keys and lists by code independent of the service. */
import { digest, ES256 } from "@sd-jwt/crypto-nodejs";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import { decodeJwt, decodeProtectedHeader, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyPresentation } from "../../examples/verify-credential.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { createCredentialFixture, type TestAgent } from "./credential-fixture.ts";

const VERIFIER = "https://merchant.example";
let stack: Stack;
let agent: TestAgent;
const fixture = createCredentialFixture(() => stack);

beforeAll(async () => {
  stack = await sharedStack();
  // Its agent id is 0, which must be handled like any other id.
  agent = await fixture.createAgent();
});

const expected = (more: object = {}) => ({
  issuers: [stack.baseUrl],
  kind: "trust" as const,
  audience: VERIFIER,
  nonce: "n-1",
  ...more,
});
const createPresentation = async (of: TestAgent, more: object = {}) =>
  (await fixture.present(of, { kind: "TRUST", audience: VERIFIER, nonce: "n-1", disclose: ["trust_score"], ...more }))
    .presentation;

describe("GET /api/agent/credential", () => {
  it("returns both credentials once the job has issued them", async () => {
    await expect.poll(() => fixture.getCredentials(agent)).toMatchObject({ hasCredential: true });
    const { trustCredential, delegationCredential, expiresAt } = await fixture.getCredentials(agent);
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
    // The signed part contains only digests of disclosable claims.
    expect(Object.keys(rest).toSorted()).toEqual(["_sd", "_sd_alg", "cnf", "iss", "status", "vct"]);
    // 128 bits of salt in each disclosure (RFC 9901, section 9.3).
    for (const disclosure of trustCredential.split("~").slice(1, -1)) {
      const [salt] = JSON.parse(Buffer.from(disclosure, "base64url").toString());
      expect(Buffer.from(salt, "base64url")).toHaveLength(16);
    }
  });

  it("returns only `hasCredential: false` while the agent is not registered", async () => {
    const account = await stack.account();
    expect((await stack.rest(account.token, "GET", "/api/agent/credential")).json).toEqual({ hasCredential: false });
    expect(await stack.rest(null, "GET", "/api/agent/credential")).toMatchObject({ status: 401 });
  });
});

describe("a presentation", () => {
  it("verifies with published data and discloses exactly the named claims", async () => {
    const { presentation, disclosed } = await fixture.present(agent, {
      kind: "TRUST",
      audience: VERIFIER,
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
    const nothing = await verifyPresentation(await createPresentation(agent, { disclose: [] }), expected());
    expect(Object.keys(nothing).toSorted()).toEqual(["cnf", "exp", "iat", "iss", "status", "vct"]);
    const limits = await createPresentation(agent, { kind: "DELEGATION", disclose: ["limits"] });
    expect(await verifyPresentation(limits, expected({ kind: "delegation" }))).toMatchObject({
      limits: { per_transaction_usd: null, daily_usd: null, monthly_usd: null },
    });
  });

  it("verifies with the SD-JWT library's verifier, including key binding and status", async () => {
    const keys = (await (await fetch(`${stack.baseUrl}/agents/credential-keys.json`)).json()) as { keys: JWK[] };
    const presentation = await createPresentation(agent);
    const { kid } = decodeProtectedHeader(presentation.split("~")[0] ?? "");
    const verifier = await ES256.getVerifier(keys.keys.find((key) => key.kid === kid) ?? {});
    const sdJwtVc = new SDJwtVcInstance({
      hasher: digest,
      verifier,
      kbVerifier: async (data, signature, { cnf }) =>
        (await ES256.getVerifier((cnf as { jwk: object }).jwk))(data, signature),
      loadTypeMetadataFormat: true,
    });
    const verified = await sdJwtVc.verify(presentation, { keyBindingNonce: "n-1", requiredClaimKeys: ["trust_score"] });
    expect(verified).toMatchObject({
      kb: { payload: { aud: VERIFIER, nonce: "n-1" }, header: { alg: "ES256", typ: "kb+jwt" } },
      typeMetadata: { mergedTypeMetadata: { name: "Agent trust" } },
    });
    await expect(sdJwtVc.verify(presentation, { keyBindingNonce: "n-2" })).rejects.toThrow();
  });

  it.each<[string, object]>([
    ["another audience", { audience: "https://other.example" }],
    ["another nonce", { nonce: "n-2" }],
    ["another kind", { kind: "delegation" }],
    ["an issuer that is not trusted", { issuers: ["https://satchel.example"] }],
  ])("does not verify for %s", async (_case, more) => {
    const presentation = await createPresentation(agent);
    await verifyPresentation(presentation, expected());
    await expect(verifyPresentation(presentation, expected(more))).rejects.toThrow();
  });

  it("does not verify if a part is changed, removed, added or copied from another presentation", async () => {
    const presentation = await createPresentation(agent, { disclose: ["agent_id", "trust_score"] });
    const other = await createPresentation(await fixture.createAgentWithCredentials(), {
      disclose: ["agent_id", "trust_score"],
    });
    const parts = presentation.split("~");
    const [credential = "", first = "", second = "", proof = ""] = parts;
    const otherParts = other.split("~");
    const forgedDisclosure = Buffer.from(JSON.stringify(["salt", "trust_score", 100])).toString("base64url");
    const [header = "", payload = "", signature = ""] = credential.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const raised = Buffer.from(JSON.stringify({ ...claims, trust_score: 100 })).toString("base64url");
    const unsigned = Buffer.from(JSON.stringify({ alg: "none", typ: "dc+sd-jwt" })).toString("base64url");
    const forgeries = [
      [`${header}.${raised}.${signature}`, first, second, proof],
      [`${unsigned}.${raised}.`, first, second, proof],
      [credential, first, proof],
      [credential, first, second, forgedDisclosure, proof],
      [credential, first, forgedDisclosure, proof],
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
  it("no longer verifies, while others on its status list do", async () => {
    const [revoked, active] = [await fixture.createAgentWithCredentials(), await fixture.createAgentWithCredentials()];
    const presentation = await createPresentation(revoked);
    await verifyPresentation(presentation, expected());
    const { prisma } = stack.service.deps.db;
    await prisma.agent.update({
      where: { id: revoked.agentRecordId },
      data: { status: "revoked", revokedAt: new Date(), credentialsDueAt: new Date() },
    });
    // REST omits the credential immediately. The status list contains it after the next run of the job.
    expect(await fixture.getCredentials(revoked)).toEqual({ hasCredential: false });
    await expect
      .poll(() => verifyPresentation(presentation, expected()).catch(({ message }) => message))
      .toBe("The credential is revoked.");
    await verifyPresentation(await createPresentation(active), expected());
    await expect
      .poll(
        async () => (await prisma.agent.findUniqueOrThrow({ where: { id: revoked.agentRecordId } })).credentialsDueAt,
      )
      .toBeNull();
    // A reinstated agent receives new credentials, also before its wallet is linked again; the old ones remain revoked.
    await prisma.agent.update({
      where: { id: revoked.agentRecordId },
      data: {
        ...{ status: "active", revokedAt: null, credentialsDueAt: new Date() },
        nextCheckAt: new Date(Date.now() + 3_600_000),
      },
    });
    await expect.poll(() => fixture.getCredentials(revoked)).toMatchObject({ hasCredential: true });
    await verifyPresentation(await createPresentation(revoked), expected());
    await expect(verifyPresentation(presentation, expected())).rejects.toThrow("The credential is revoked.");
  });
});
