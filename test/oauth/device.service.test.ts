// @module-tag postgresql
/** The device authorization grant (RFC 8628): codes, polls, decisions, limits. */
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  createBrowser,
  createClient,
  decideAuthorization,
  openSignedInBrowser,
  postOAuth,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const insecure = { [oauth.allowInsecureRequests]: true };

let stack: Stack;
let account: TestAccount;
let user: Browser;
let device: TestClient;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  user = await openSignedInBrowser(stack, account.accountId);
  device = await createClient(stack, { kind: "public", deviceGrant: true });
});

const db = () => stack.service.deps.db.prisma;

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
}

async function begin(client = device, parameters: Record<string, string> = {}): Promise<Codes> {
  const sent = { client_id: client.clientId, ...parameters };
  const response = await postOAuth(stack, "/oauth/device_authorization", sent);
  expect(response.status, response.text).toBe(200);
  return response.json;
}

const poll = ({ device_code }: Codes, more: Record<string, string> = {}) =>
  postOAuth(stack, "/oauth/token", { grant_type: GRANT, device_code, client_id: device.clientId, ...more });

/** Moves the last poll into the past, as if the device had waited. */
const wait = ({ user_code }: Codes, seconds: number) =>
  db().oAuthRequest.updateMany({
    where: { userCode: user_code.replace("-", "") },
    data: { lastPolledAt: new Date(Date.now() - seconds * 1_000) },
  });
const expire = ({ user_code }: Codes) =>
  db().oAuthRequest.updateMany({ where: { userCode: user_code.replace("-", "") }, data: { expiresAt: new Date() } });

const FIND = `mutation ($userCode: String!) { findDeviceRequest(input: { userCode: $userCode }) { __typename
  ... on FindDeviceRequestSuccess { request { requestId needsConsent scopes { name } client { redirectHost }
    device { userCode ipAddress requestedAt } } } ... on Error { code message } } }`;
const find = async (userCode: string, browser = user) =>
  (await browser.graphql(FIND, { userCode })).json.data?.findDeviceRequest;

async function decide({ user_code }: Codes, input: object = {}, browser = user) {
  // Without `findDeviceRequest`, which is limited.
  const { id } = await db().oAuthRequest.findUniqueOrThrow({ where: { userCode: user_code.replace("-", "") } });
  return await decideAuthorization(browser, id, input);
}

describe("a standard client", () => {
  it("polls until the user has approved, and receives tokens that work and refresh", async () => {
    const issuer = new URL(stack.baseUrl);
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" }),
    );
    expect(as.grant_types_supported).toContain(GRANT);
    const client = { client_id: "service_cli" };
    const parameters = { scope: "balance:read" };
    const started = await oauth.processDeviceAuthorizationResponse(
      as,
      client,
      await oauth.deviceAuthorizationRequest(as, client, oauth.None(), parameters, insecure),
    );
    expect(started).toMatchObject({
      expires_in: 900,
      interval: 5,
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    });
    const page = `${stack.service.deps.site.browserUrl()}/device`;
    expect(started.verification_uri).toBe(page);
    expect(started.verification_uri_complete).toBe(`${page}?user_code=${started.user_code}`);
    const exchange = async () =>
      await oauth.processDeviceCodeResponse(
        as,
        client,
        await oauth.deviceCodeGrantRequest(as, client, oauth.None(), started.device_code, insecure),
      );
    await expect(exchange()).rejects.toMatchObject({ error: "authorization_pending" });
    await expect(exchange()).rejects.toMatchObject({ error: "slow_down" });
    const { continueUrl } = await decide(started, { dailyLimitUsd: "2" });
    expect(continueUrl).toBe(`${page}?result=approved`);
    await wait(started, 10);
    const tokens = await exchange();
    expect(tokens).toMatchObject({ token_type: "bearer", scope: "balance:read", expires_in: 90 * 86_400 });
    const balance = await stack.rest(null, "GET", "/api/balance", undefined, {
      authorization: `Bearer ${tokens.access_token}`,
    });
    expect(balance.status).toBe(200);
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token ?? "", insecure),
    );
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    await wait(started, 60);
    await expect(exchange()).rejects.toMatchObject({ error: "invalid_grant" });
  });
});

describe("a device authorization request", () => {
  it.each<[string, () => Promise<Record<string, string>>, string, number]>([
    ["of an unknown client", async () => ({ client_id: "cl_none" }), "invalid_client", 401],
    ["without a client", async () => ({}), "invalid_client", 401],
    [
      "of a client without the grant",
      async () => ({ client_id: (await createClient(stack, { kind: "public" })).clientId }),
      "unauthorized_client",
      400,
    ],
    [
      "of a confidential client without its secret",
      async () => ({ client_id: (await createClient(stack, { deviceGrant: true })).clientId }),
      "invalid_client",
      401,
    ],
    [
      "of a client that is not approved",
      async () => ({
        client_id: (await createClient(stack, { kind: "public", deviceGrant: true, status: "pending_approval" }))
          .clientId,
      }),
      "invalid_client",
      401,
    ],
    ["with an unknown scope", async () => ({ client_id: "service_cli", scope: "everything" }), "invalid_scope", 400],
  ])("%s is refused", async (_case, parameters, error, status) => {
    const response = await postOAuth(stack, "/oauth/device_authorization", await parameters());
    expect([response.status, response.json.error]).toEqual([status, error]);
  });

  it("of a confidential client is accepted with its secret, also as HTTP Basic", async () => {
    const client = await createClient(stack, { deviceGrant: true });
    const authorization = `Basic ${Buffer.from(`${client.clientId}:${client.secret}`).toString("base64")}`;
    const response = await postOAuth(
      stack,
      "/oauth/device_authorization",
      {},
      { as: "json", headers: { authorization } },
    );
    expect(response.status).toBe(200);
    const refused = await poll(response.json, { client_id: client.clientId });
    expect([refused.status, refused.json.error]).toEqual([401, "invalid_client"]);
    await decide(response.json);
    expect((await poll(response.json, { client_id: client.clientId, client_secret: client.secret })).status).toBe(200);
  });

  it("stores only the hash of the device code", async () => {
    const { device_code, user_code } = await begin();
    const row = await db().oAuthRequest.findUniqueOrThrow({ where: { userCode: user_code.replace("-", "") } });
    expect(JSON.stringify(row)).not.toContain(device_code);
  });
});

describe("a user code", () => {
  it("is found regardless of case and separators, and shows the code, the address and the time", async () => {
    const { user_code } = await begin(device, { scope: "balance:read email:read" });
    const typed = ` ${user_code.toLowerCase().replace("-", " . ")}`;
    expect(await find(typed)).toEqual({
      __typename: "FindDeviceRequestSuccess",
      request: {
        requestId: expect.stringMatching(/^oar_/),
        needsConsent: true,
        scopes: [{ name: "BALANCE_READ" }, { name: "EMAIL_READ" }],
        client: { redirectHost: null },
        device: {
          userCode: user_code,
          ipAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
          requestedAt: expect.any(String),
        },
      },
    });
  });

  it("requires a session, and is not found after the decision and the expiry", async () => {
    const codes = await begin();
    const anonymous = (await createBrowser(stack, null).graphql(FIND, { userCode: codes.user_code })).json;
    expect(anonymous.errors[0].extensions.code).toBe("unauthorized");
    expect(await find("AEIO-UAEI")).toMatchObject({ code: "INVALID_REQUEST" });
    const { request } = await find(codes.user_code);
    await decideAuthorization(user, request.requestId, { approve: false });
    expect(await find(codes.user_code)).toMatchObject({ code: "NOT_FOUND" });
    expect(await decideAuthorization(user, request.requestId)).toMatchObject({ code: "NOT_FOUND" });
    const expired = await begin();
    await expire(expired);
    expect(await find(expired.user_code)).toMatchObject({ code: "NOT_FOUND" });
  });

  it("always requires consent, also under an active grant, and its request cannot be continued in a browser", async () => {
    const codes = await begin();
    await decide(codes);
    const again = await begin();
    const { request } = await find(again.user_code);
    expect(request.needsConsent).toBe(true);
    await decideAuthorization(user, request.requestId);
    expect((await user.navigate(`/oauth/continue?request=${request.requestId}`)).status).toBe(400);
    expect((await poll(again)).status).toBe(200);
  });

  it("is checked ten times for an account in 15 minutes", async () => {
    const guesser = await openSignedInBrowser(stack, (await stack.account()).accountId);
    for (let guess = 0; guess < 10; guess++)
      expect(await find("BBBB-BBBB", guesser)).toMatchObject({ code: "NOT_FOUND" });
    const { user_code } = await begin();
    expect(await find(user_code, guesser)).toMatchObject({ code: "RATE_LIMITED" });
  });
});

describe("a poll", () => {
  it("waits longer after each early poll, by 5 seconds", async () => {
    const codes = await begin();
    expect((await poll(codes)).json.error).toBe("authorization_pending");
    for (let early = 0; early < 2; early++) expect((await poll(codes)).json.error).toBe("slow_down");
    await wait(codes, 10);
    expect((await poll(codes)).json.error).toBe("slow_down");
    await wait(codes, 20);
    expect((await poll(codes)).json.error).toBe("authorization_pending");
  });

  it("of 50 in parallel is counted once", async () => {
    const codes = await begin();
    const errors = (await Promise.all(Array.from({ length: 50 }, () => poll(codes)))).map(({ json }) => json.error);
    expect(errors.filter((error) => error === "authorization_pending")).toHaveLength(1);
    expect(errors.filter((error) => error === "slow_down")).toHaveLength(49);
    const row = await db().oAuthRequest.findUniqueOrThrow({ where: { userCode: codes.user_code.replace("-", "") } });
    expect(row.pollIntervalSeconds).toBe(5 + 49 * 5);
  });

  it("of 50 in parallel after the approval receives tokens once", async () => {
    const codes = await begin();
    await decide(codes);
    const responses = await Promise.all(Array.from({ length: 50 }, () => poll(codes)));
    const [success, ...others] = responses.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const authorization = `Bearer ${success?.json.access_token}`;
    expect((await stack.rest(null, "GET", "/oauth/userinfo", undefined, { authorization })).status).toBe(200);
  });

  it.each<[string, (codes: Codes) => Promise<unknown>, string]>([
    ["after a denial", (codes) => decide(codes, { approve: false }), "access_denied"],
    ["after the expiry", expire, "expired_token"],
    ["after the expiry of an approval", (codes) => decide(codes).then(() => expire(codes)), "expired_token"],
    ["after the app was disconnected", (codes) => decide(codes).then(disconnect), "invalid_grant"],
  ])("%s fails", async (_case, act, error) => {
    const codes = await begin();
    await act(codes);
    expect((await poll(codes)).json.error).toBe(error);
  });

  it("with the code of another client, or without a code, fails and leaves the code valid", async () => {
    const codes = await begin();
    await decide(codes);
    expect((await poll(codes, { client_id: "service_cli" })).json.error).toBe("invalid_grant");
    expect((await poll(codes, { device_code: "" })).json.error).toBe("invalid_request");
    expect((await poll(codes, { device_code: "unknown" })).json.error).toBe("invalid_grant");
    expect((await poll(codes)).status).toBe(200);
  });

  it("of a frozen account receives no tokens until the freeze ends", async () => {
    const frozen = await stack.account();
    const browser = await openSignedInBrowser(stack, frozen.accountId);
    const codes = await begin();
    await decide(codes, {}, browser);
    const freeze = (frozenBy: string | null) =>
      db().account.update({ where: { id: frozen.accountId }, data: { frozenBy, frozenAt: frozenBy && new Date() } });
    await freeze("owner");
    expect((await poll(codes)).json.error).toBe("temporarily_unavailable");
    const other = await begin();
    expect((await browser.graphql(FIND, { userCode: other.user_code })).json.errors[0].extensions.code).toBe(
      "account_frozen",
    );
    await freeze(null);
    await wait(codes, 10);
    expect((await poll(codes)).status).toBe(200);
  });
});

async function disconnect(): Promise<void> {
  await db().oAuthGrant.updateMany({
    where: { accountId: account.accountId, clientId: device.clientId },
    data: { revokedAt: new Date(), slot: null },
  });
}
