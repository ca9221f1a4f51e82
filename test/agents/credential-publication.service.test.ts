/** Public routes for verifiers: issuer metadata, keys, type metadata and status lists. */
import { randomBytes } from "node:crypto";
import { getListFromStatusListJWT } from "@sd-jwt/jwt-status-list";
import { TypeMetadataFormatSchema } from "@sd-jwt/sd-jwt-vc";
import fc from "fast-check";
import { createLocalJWKSet, decodeProtectedHeader, type JWK, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyPresentation } from "../../examples/verify-credential.ts";
import { STATUS_LIST_SIZE } from "../../src/agents/credentials/status-index.ts";
import { createStatusListCache } from "../../src/agents/credentials/status-list.ts";
import { newId } from "../../src/platform/ids.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createCredentialFixture, type TestAgent } from "./credential-fixture.ts";

const DAY_MS = 86_400_000;
let stack: OwnStack;
let agent: TestAgent;
const fixture = createCredentialFixture(() => stack);

beforeAll(async () => {
  stack = await startStack({ env: { RECONCILE_INTERVAL_MS: "600000" } });
  agent = await fixture.createAgentWithCredentials();
});
afterAll(() => stack.stop());

const get = (path: string) => stack.rest(null, "GET", path, undefined, { origin: "https://merchant.example" });
const keys = async () => (await get("/agents/credential-keys.json")).json as { keys: JWK[] };

describe("the public routes", () => {
  it("return the issuer and its public credential keys only", async () => {
    const metadata = await get("/.well-known/jwt-vc-issuer");
    const jwksUri = `${stack.baseUrl}/agents/credential-keys.json`;
    expect(metadata.json).toEqual({ issuer: stack.baseUrl, jwks_uri: jwksUri });
    expect(metadata.headers.get("access-control-allow-origin")).toBe("*");
    expect(metadata.headers.get("cache-control")).toBe("public, max-age=300");
    const { kid: loginKey } = await stack.service.deps.signingKeys.current("login_token");
    const published = await keys();
    expect(published.keys).toHaveLength(1);
    for (const key of published.keys) {
      expect(Object.keys(key).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
      expect(key).toMatchObject({ alg: "ES256", use: "sig" });
      expect(key.kid).not.toBe(loginKey);
    }
    const login = (await get("/.well-known/jwks.json")).json as { keys: JWK[] };
    expect(login.keys.map(({ kid }) => kid)).toEqual([loginKey]);
  });

  it("return type metadata that describes every disclosable claim", async () => {
    for (const kind of ["trust", "delegation"] as const) {
      const { json, headers } = await get(`/agents/credential-types/${kind}`);
      expect(TypeMetadataFormatSchema.parse(json)).toMatchObject({
        vct: `${stack.baseUrl}/agents/credential-types/${kind}`,
      });
      expect(headers.get("content-type")).toContain("application/json");
      const described = json.claims.map(({ path }: { path: string[] }) => path.join("."));
      const { json: read } = await stack.graphql(
        agent.token,
        `{ viewer { agent { credential: ${kind}Credential { disclosableClaims } } } }`,
      );
      const disclosable: string[] = read.data.viewer.agent.credential.disclosableClaims;
      // The score's parts are described by the claim that contains them.
      expect(disclosable.filter((name) => !/^trust_score_parts\./.test(name)).toSorted()).toEqual(described.toSorted());
    }
    expect(await get("/agents/credential-types/other")).toMatchObject({ status: 404, json: { error: "not_found" } });
  });

  it("return a signed, short-lived status list of fixed size", async () => {
    const path = "/agents/status-lists/1";
    const { text, headers } = await get(path);
    expect(headers.get("content-type")).toBe("application/statuslist+jwt");
    expect(headers.get("cache-control")).toBe("public, max-age=60");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    const { payload, protectedHeader } = await jwtVerify(text, createLocalJWKSet(await keys()), {
      issuer: stack.baseUrl,
      subject: stack.baseUrl + path,
      typ: "statuslist+jwt",
      algorithms: ["ES256"],
    });
    expect(protectedHeader.kid).toEqual(expect.any(String));
    expect(payload["ttl"]).toBe(60);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
    expect(getListFromStatusListJWT(text).statusList).toHaveLength(STATUS_LIST_SIZE);
  });

  it.each(["0", "01", "-1", "1.0", "2", "9999999999", "1e0", "x", "%00", "1%20"])(
    "return no status list for the id %s",
    async (id) => {
      expect((await get(`/agents/status-lists/${id}`)).status).toBeGreaterThanOrEqual(400);
    },
  );
});

/** Id of the last status list used by the property test. Each run fills a new one. */
let statusListId = 10;

it("sets exactly the bits of revoked credentials in a status list", async () => {
  const { db, site, signingKeys } = stack.service.deps;
  const [row] = await db.prisma.agentCredential.findMany({ where: { agentId: agent.agentRecordId }, take: 1 });
  if (!row) throw new Error("no credential");
  const index = fc.integer({ min: 0, max: STATUS_LIST_SIZE - 1 });
  const edges = fc.constantFrom(0, 1, 7, 8, 9, STATUS_LIST_SIZE - 8, STATUS_LIST_SIZE - 1);
  const entries = fc.uniqueArray(fc.tuple(fc.oneof(index, edges), fc.boolean()), {
    selector: ([statusIndex]) => statusIndex,
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(entries, async (usedEntries) => {
      statusListId += 1;
      const now = new Date();
      const data = usedEntries.map(([statusIndex, isRevoked]) => {
        const kind = `test_${randomBytes(6).toString("hex")}`;
        return { ...row, id: newId("crd"), kind, statusListId, statusIndex, revokedAt: isRevoked ? now : null };
      });
      await db.prisma.agentCredential.createMany({ data });
      const token = await createStatusListCache({ db, site, signingKeys })(statusListId);
      const list = getListFromStatusListJWT(token ?? "");
      const set = list.statusList.flatMap((status, at) => (status === 0 ? [] : [at]));
      const revoked = usedEntries.filter(([, isRevoked]) => isRevoked).map(([at]) => at);
      expect(set).toEqual(revoked.toSorted((a, b) => a - b));
    }),
    { numRuns: 15 },
  );
});

it("verifies a credential after its signing key was retired and replaced", async () => {
  const { deps } = stack.service;
  const createPresentation = async (of: TestAgent) =>
    (await fixture.present(of, { kind: "TRUST", audience: "https://merchant.example", nonce: "n" })).presentation;
  const expected = {
    issuers: [stack.baseUrl],
    kind: "trust",
    audience: "https://merchant.example",
    nonce: "n",
  } as const;
  const kidOf = (presentation: string) => decodeProtectedHeader(presentation.split("~")[0] ?? "").kid ?? "";
  const old = await createPresentation(agent);
  // The key is retired after 90 days. Credentials it signed shortly before remain valid for 30 days.
  const retiredAt = new Date(Date.now() - 30 * DAY_MS);
  await deps.db.prisma.signingKey.update({ where: { id: kidOf(old) }, data: { retiredAt } });
  const published = await keys();
  expect(published.keys.map(({ kid }) => kid)).toContain(kidOf(old));
  expect(await verifyPresentation(await createPresentation(agent), expected)).toMatchObject({ iss: stack.baseUrl });
});
