// @module-tag postgresql
/** Refreshes whose response is lost, at every point of the exchange, over HTTP. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { hashToken } from "../../src/accounts/secret-token.ts";
import {
  type Browser,
  createClient,
  obtainTokens,
  openSignedInBrowser,
  refreshTokens,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack } from "../support/stack.ts";

const HOUR_MS = 3_600_000;

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

let stack: Stack;
let user: Browser;
let client: TestClient;

beforeAll(async () => {
  stack = await sharedStack();
  user = await openSignedInBrowser(stack, (await stack.account()).accountId);
  client = await createClient(stack);
});

const tokens = () => stack.service.deps.db.prisma.oAuthToken;
const rowOf = (token: string) => tokens().findUniqueOrThrow({ where: { tokenHash: hashToken(token) } });
const refresh = (token: string) => refreshTokens(stack, client, token);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const isAccepted = async (token: string) =>
  (await stack.rest(null, "GET", "/oauth/userinfo", undefined, bearer(token))).status === 200;
const pairOf = ({ access_token, refresh_token }: Pair): Pair => ({ access_token, refresh_token });

/** Obtains a pair and refreshes it. `lost` is the response that the client may not have received. */
async function loseResponse() {
  const before = await obtainTokens(stack, user, client);
  return { before, lost: (await refresh(before.refresh_token)).json as Pair };
}

/** Moves the use of a refresh token into the past. */
async function passTime(refreshToken: string, ms: number): Promise<void> {
  const { id, consumedAt } = await rowOf(refreshToken);
  await tokens().update({ where: { id }, data: { consumedAt: new Date((consumedAt?.getTime() ?? 0) - ms) } });
}

async function expectRevokedFamily(...pairs: Pair[]): Promise<void> {
  for (const { access_token, refresh_token } of pairs) {
    expect(await isAccepted(access_token)).toBe(false);
    expect((await refresh(refresh_token)).json.error).toBe("invalid_grant");
  }
}

async function connectSocket(token: string): Promise<void> {
  const socket = new WebSocket(`${stack.baseUrl.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => socket.send(JSON.stringify({ type: "connection_init", payload: bearer(token) })));
    socket.on("message", () => resolve());
  });
  socket.close();
}

describe("a refresh whose response is lost", () => {
  it("is repeated with the same pair, whichever half the client stored", async () => {
    const { before, lost } = await loseResponse();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { status, json } = await refresh(before.refresh_token);
      expect(status).toBe(200);
      expect(pairOf(json)).toEqual(pairOf(lost));
    }
    expect(await isAccepted(before.access_token)).toBe(true);
    expect(await isAccepted(lost.access_token)).toBe(true);
    expect((await refresh(lost.refresh_token)).status).toBe(200);
  });

  it("is repeated for an hour, with the remaining lifetime", async () => {
    const { before, lost } = await loseResponse();
    const { expires_in: full } = (await refresh(before.refresh_token)).json;
    await passTime(before.refresh_token, HOUR_MS - 60_000);
    const { json } = await refresh(before.refresh_token);
    expect(pairOf(json)).toEqual(pairOf(lost));
    expect(Math.abs(full - 3_540 - json.expires_in)).toBeLessThan(30);
    await passTime(before.refresh_token, 60_000);
    expect((await refresh(before.refresh_token)).json.error).toBe("invalid_grant");
    await expectRevokedFamily(before, lost);
  });

  it("is repeated after several lost ones in a row", async () => {
    const { before, lost: first } = await loseResponse();
    const again = (await refresh(before.refresh_token)).json;
    const second = (await refresh(again.refresh_token)).json;
    expect(pairOf((await refresh(first.refresh_token)).json)).toEqual(pairOf(second));
    expect(await isAccepted(second.access_token)).toBe(true);
  });

  it.each<[string, (lost: Pair) => Promise<unknown>]>([
    ["a refresh", ({ refresh_token }) => refresh(refresh_token)],
    ["a REST request", ({ access_token }) => stack.rest(null, "GET", "/api/balance", undefined, bearer(access_token))],
    ["user info", ({ access_token }) => isAccepted(access_token)],
    ["GraphQL", ({ access_token }) => stack.graphql(null, "{ viewer { id } }", {}, bearer(access_token))],
    ["the gateway", ({ access_token }) => stack.rest(null, "GET", "/v1/models", undefined, bearer(access_token))],
    ["a WebSocket", ({ access_token }) => connectSocket(access_token)],
    [
      "a revocation",
      ({ access_token }) =>
        stack.rest(null, "POST", "/oauth/revoke", {
          token: access_token,
          client_id: client.clientId,
          client_secret: client.secret,
        }),
    ],
  ])("revokes the family if the old token is used after %s with the new pair", async (_name, use) => {
    const { before, lost } = await loseResponse();
    await use(lost);
    expect((await refresh(before.refresh_token)).json.error).toBe("invalid_grant");
    await expectRevokedFamily(before, lost);
  });

  it("is repeated after the service refused the new access token at another resource, or without its key", async () => {
    const resource = `${stack.baseUrl}/graphql`;
    const before = await obtainTokens(stack, user, client);
    const { json: lost } = await refreshTokens(stack, client, before.refresh_token, { resource });
    expect((await stack.rest(null, "GET", "/api/balance", undefined, bearer(lost.access_token))).status).toBe(401);
    const { json: repeated } = await refreshTokens(stack, client, before.refresh_token, { resource });
    expect(pairOf(repeated)).toEqual(pairOf(lost));

    const bound = await loseResponse();
    const { id } = await rowOf(bound.lost.access_token);
    await tokens().update({ where: { id }, data: { dpopJkt: "thumbprint" } });
    expect(await isAccepted(bound.lost.access_token)).toBe(false);
    await tokens().update({ where: { id }, data: { dpopJkt: null } });
    expect(pairOf((await refresh(bound.before.refresh_token)).json)).toEqual(pairOf(bound.lost));
  });

  it("is not repeated after an access token of a minute was used and has expired", async () => {
    const { before, lost } = await loseResponse();
    expect(await isAccepted(lost.access_token)).toBe(true);
    const { id } = await rowOf(lost.access_token);
    await tokens().update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1_000) } });
    await passTime(before.refresh_token, HOUR_MS / 2);
    expect((await refresh(before.refresh_token)).json.error).toBe("invalid_grant");
  });

  it("is either repeated or revokes the family if the new pair is used at the same time", async () => {
    const { before, lost } = await loseResponse();
    const uses = Array.from({ length: 10 }, () => isAccepted(lost.access_token));
    const repeated = await Promise.all(Array.from({ length: 10 }, () => refresh(before.refresh_token)));
    await Promise.all(uses);
    for (const { status, json } of repeated) {
      if (status === 200) expect(pairOf(json)).toEqual(pairOf(lost));
      else expect(json.error).toBe("invalid_grant");
    }
    expect((await refresh(before.refresh_token)).json.error).toBe("invalid_grant");
    await expectRevokedFamily(before, lost);
  });
});

/** What a family allows: the pairs in the order of their issue, and what was done with each. */
interface Model {
  readonly pairs: { readonly pair: Pair; isRefreshed: boolean; isAccessed: boolean; isOld: boolean }[];
  isRevoked: boolean;
}

type Step = readonly ["refresh" | "access" | "wait", number];

/** Performs a step on the service and on the model, and compares them. */
async function perform(model: Model, [action, choice]: Step): Promise<void> {
  const index = choice % model.pairs.length;
  const [one, next] = [model.pairs[index], model.pairs[index + 1]];
  if (!one) throw new Error("The model has no pair.");
  if (action === "access") {
    expect(await isAccepted(one.pair.access_token)).toBe(!model.isRevoked);
    one.isAccessed ||= !model.isRevoked;
  } else if (action === "wait") {
    if (!one.isRefreshed) return;
    await passTime(one.pair.refresh_token, HOUR_MS);
    one.isOld = true;
  } else {
    const { status, json } = await refresh(one.pair.refresh_token);
    const isRepeated = next !== undefined && !next.isAccessed && !next.isRefreshed && !one.isOld;
    if (model.isRevoked || (next && !isRepeated)) {
      expect([status, json.error]).toEqual([400, "invalid_grant"]);
      model.isRevoked = true;
      return;
    }
    expect(status).toBe(200);
    if (next) expect(pairOf(json)).toEqual(next.pair);
    else model.pairs.push({ pair: pairOf(json), isRefreshed: false, isAccessed: false, isOld: false });
    one.isRefreshed = true;
  }
}

it("a family behaves like its model under any sequence of refreshes, requests and waiting", async () => {
  const step = fc.tuple(fc.constantFrom("refresh", "refresh", "access", "wait"), fc.nat(4)) as fc.Arbitrary<Step>;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const pair = pairOf(await obtainTokens(stack, user, client));
      const model: Model = {
        pairs: [{ pair, isRefreshed: false, isAccessed: false, isOld: false }],
        isRevoked: false,
      };
      for (const one of steps) await perform(model, one);
    }),
    { numRuns: 25 },
  );
});
