// @module-tag postgresql
/** did:web of account owners and agents, resolved by an independent resolver over TLS on a DNS name. */
import { randomUUID } from "node:crypto";
import { request as send } from "node:http";
import { createServer, globalAgent } from "node:https";
import type { AddressInfo } from "node:net";
import { Resolver } from "did-resolver";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getResolver } from "web-did-resolver";
import { selfSigned } from "../../sandbox/app/self-signed.ts";
import { activateAgent } from "../mail/fixtures.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

const HOST = "satchel.test";
const SET = "mutation ($input: SetAgentRegistrationInput!) { setAgentRegistration(input: $input) { __typename } }";
const READ = "{ viewer { agent { agentRecordId registrationUrl } wallet { balance { address } } } }";
const REVOKE = "mutation { revokeAgent(input: {}) { __typename } }";

const tls = selfSigned(HOST);
const resolver = new Resolver(getResolver());
/** Passes requests to the service, as a reverse proxy does. */
const proxy = createServer(tls, ({ method, url, headers, ...incoming }, outgoing) => {
  void incoming;
  const { hostname, port } = new URL(stack.service.localUrl);
  send({ hostname, port, method, path: url, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  }).end();
});
const { ca, lookup } = globalAgent.options;

let stack: OwnStack;
let account: TestAccount;

beforeAll(async () => {
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const baseUrl = `https://${HOST}:${(proxy.address() as AddressInfo).port}`;
  stack = await startStack({ networks: ["base-sepolia"], env: { BASE_URL: baseUrl, AGENT_REGISTRATION: "0" } });
  account = await stack.account();
  await activateAgent(stack, account);
  globalAgent.options.ca = tls.cert;
  globalAgent.options.lookup = (_host, _options, found) => found(null, [{ address: "127.0.0.1", family: 4 }]);
});
afterAll(async () => {
  Object.assign(globalAgent.options, { ca, lookup });
  proxy.closeAllConnections();
  proxy.close();
  await stack?.stop();
});

const read = async () => (await stack.graphql(account.token, READ)).json.data.viewer;
const choose = (input: object) => stack.graphql(account.token, SET, { input: { enabled: true, ...input } });
const subject = () => `did:web:${hostOf()}:users:${account.accountId}`;
const hostOf = () => encodeURIComponent(new URL(stack.baseUrl).host);
const get = (path: string, headers = {}) => fetch(stack.service.localUrl + path, { headers });

it("resolves the account owner's subject, without a key and without the wallet", async () => {
  const { didDocument, didResolutionMetadata } = await resolver.resolve(subject());
  expect(didResolutionMetadata).toEqual({ contentType: "application/did+ld+json" });
  expect(didDocument).toEqual({ "@context": ["https://www.w3.org/ns/did/v1"], id: subject() });
});

it("names the wallet once its owner publishes it, and no longer than that", async () => {
  const { wallet } = await read();
  await choose({ publishesWallet: true });
  const alias = `did:pkh:eip155:84532:${wallet.balance.address}`;
  expect((await resolver.resolve(subject())).didDocument).toMatchObject({ alsoKnownAs: [alias] });
  await choose({ publishesWallet: false });
  expect((await resolver.resolve(subject())).didDocument).not.toHaveProperty("alsoKnownAs");
});

it("resolves an agent with the key of its credentials until it is revoked, and does not name its owner", async () => {
  const { agent } = await read();
  const did = `did:web:${hostOf()}:agents:${agent.agentRecordId}`;
  const jwk = { kty: "EC", crv: "P-256", x: "x", y: "y" };
  await stack.service.deps.db.prisma.agent.update({
    where: { id: agent.agentRecordId },
    data: { holderPublicJwk: jwk },
  });
  const { didDocument } = await resolver.resolve(did);
  expect(didDocument).toEqual({
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/jws-2020/v1"],
    id: did,
    verificationMethod: [{ id: `${did}#holder`, type: "JsonWebKey2020", controller: did, publicKeyJwk: jwk }],
    authentication: [`${did}#holder`],
    assertionMethod: [`${did}#holder`],
    service: [{ id: `${did}#registration`, type: "AgentRegistration", serviceEndpoint: agent.registrationUrl }],
  });
  expect(JSON.stringify(didDocument)).not.toContain(account.accountId);
  await stack.graphql(account.token, REVOKE);
  expect((await resolver.resolve(did)).didDocument).toEqual({ "@context": ["https://www.w3.org/ns/did/v1"], id: did });
});

it("can be cached and read from every origin", async () => {
  const path = `/users/${account.accountId}/did.json`;
  const response = await get(path);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "cache-control": "public, max-age=60",
    "content-type": "application/did+ld+json; charset=utf-8",
  });
  const etag = response.headers.get("etag") ?? "";
  expect((await get(path, { "if-none-match": etag })).status).toBe(304);
});

it("responds alike for an account that was deleted and for ids that never existed", async () => {
  const deleted = await stack.account();
  const agent = await activateAgent(stack, deleted);
  const at = new Date();
  await stack.service.deps.db.prisma.accountDeletion.create({
    data: {
      ...{ id: "del_1", accountId: deleted.accountId, status: "completed", step: "completed", acknowledged: [] },
      ...{ dueAt: at, startedAt: at, completedAt: at },
    },
  });
  const responses = await Promise.all(
    [
      `/users/${deleted.accountId}`,
      `/users/${randomUUID()}`,
      "/users/me",
      `/agents/${agent.id}`,
      "/agents/agt_1_a",
      "/agents/x",
    ].map(async (path) => {
      const response = await get(`${path}/did.json`);
      const { date, "x-request-id": id, ...headers } = Object.fromEntries(response.headers);
      return { status: response.status, headers, body: await response.text() };
    }),
  );
  expect(responses[0]).toMatchObject({ status: 404, body: expect.stringContaining("There is no such identifier.") });
  for (const response of responses) expect(response).toEqual(responses[0]);
});
