/** The waiver of scopes (spec section 5): where it holds for new, earlier and own applications. */
import { beforeAll, describe, expect, it } from "vitest";
import { scopesOf } from "../../rest-compat/route-access.ts";
import { OAUTH_ROUTES } from "../../rest-compat/routes/oauth.ts";
import { OPENAI_ROUTES } from "../../rest-compat/routes/openai.ts";
import { ROUTES } from "../../rest-compat/routes.ts";
import { NOT_ON_CONTRACT_ROUTES, OAUTH_SCOPES } from "../../src/oauth/scopes.ts";
import { CONTRACT_ROUTES, isContractRoute } from "../../src/platform/http/contract-routes.ts";
import {
  type Browser,
  CALLBACK,
  createAuthorizePath,
  createClient,
  obtainTokens,
  openSignedInBrowser,
  postOAuth,
  readRequestId,
  type TestClient,
} from "../support/oauth.ts";
import { ADMIN_TOKEN, type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createClientsApi, STEPS } from "./clients-fixture.ts";

let stack: Stack;
let account: TestAccount;
let user: Browser;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  user = await openSignedInBrowser(stack, account.accountId);
});

/** Registers an application with the waiver over GraphQL and approves it. */
async function registerWithWaiver(): Promise<TestClient> {
  const clients = createClientsApi(stack);
  const oauth = { ...STEPS.oauth, redirectUris: [CALLBACK] };
  const { client, secret } = await clients.register(account.token, { strictScopes: false, oauth });
  await clients.review({ id: client.id, decision: "APPROVE" }, ADMIN_TOKEN);
  return { clientId: client.clientId, secret };
}

const obtain = async (client: TestClient) =>
  (await obtainTokens(stack, user, client, { parameters: { scope: "balance:read" } })).access_token;

async function statuses(token: string) {
  const rest = async (path: string) => (await stack.rest(token, "GET", path)).status;
  const graphql = async (document: string) => {
    const { json } = await stack.graphql(token, document);
    return json.errors?.[0]?.extensions.code ?? json.data.createMailDraft?.code ?? "ok";
  };
  return {
    granted: await rest("/api/balance"),
    contract: await rest("/api/transactions"),
    "beyond the contract": await rest("/api/declined-payments"),
    query: await graphql("{ viewer { transactions { edges { node { id } } } } }"),
    mutation: await graphql(
      `mutation { createMailDraft(input: { subject: "Hi", body: "Hi" }) { ... on Error { code } } }`,
    ),
    granted_query: await graphql("{ viewer { wallet { creditUsd } } }"),
  };
}

const readEnforcement = async (client: TestClient, token: string) =>
  (await postOAuth(stack, "/oauth/introspect", { token, client_id: client.clientId, client_secret: client.secret }))
    .json.scope_enforcement;

describe("the waiver of an application", () => {
  it("that registers from now on covers the routes of the contract only", async () => {
    const client = await registerWithWaiver();
    const request = readRequestId(await user.navigate(createAuthorizePath(client.clientId, { scope: "balance:read" })));
    const read = `query ($id: ID!) { authorizationRequest(id: $id) { strictScopes waivedScopes { name } } }`;
    const shown = (await user.graphql(read, { id: request })).json.data.authorizationRequest;
    expect(shown.strictScopes).toBe(false);
    const names: string[] = shown.waivedScopes.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["TRANSACTIONS_READ", "PAYMENTS_SIGN", "EMAIL_READ", "CARDS_READ"]));
    expect(names).not.toContain("ACCOUNT_READ");

    const token = await obtain(client);
    expect(await statuses(token)).toEqual({
      ...{ granted: 200, contract: 200, "beyond the contract": 403 },
      ...{ query: "forbidden", mutation: "FORBIDDEN", granted_query: "ok" },
    });
    expect(await readEnforcement(client, token)).toBe("except_contract_routes");
    const apps = "{ viewer { connectedApps { edges { node { id waivedScopes client { clientId } } } } } }";
    const { edges } = (await user.graphql(apps)).json.data.viewer.connectedApps;
    const { node } = edges.find(({ node }: { node: { client: object } }) =>
      Object.values(node.client).includes(client.clientId),
    );
    expect(node.waivedScopes).toEqual(names);

    const limit = `mutation ($id: ID!) { updateGrantLimits(input: { id: $id, strictScopes: true }) { __typename } }`;
    await user.graphql(limit, { id: node.id });
    expect(await statuses(token)).toMatchObject({ granted: 200, contract: 403 });
    expect(await readEnforcement(client, token)).toBe("all");
  });

  it("that was registered before covers everything, as that of API tokens", async () => {
    const client = await createClient(stack);
    const token = await obtain(client);
    const everything = {
      ...{ granted: 200, contract: 200, "beyond the contract": 200 },
      ...{ query: "ok", granted_query: "ok" },
    };
    expect(await statuses(token)).toMatchObject(everything);
    expect(await readEnforcement(client, token)).toBe("none");
    const { token: apiToken } = await stack.account({ token: { scopes: ["balance:read"] } });
    expect(await statuses(apiToken)).toMatchObject(everything);
    const { prisma } = stack.service.deps.db;
    const own = await prisma.oAuthClient.findUniqueOrThrow({ where: { id: "service_cli" } });
    expect(own).toMatchObject({ strictScopes: false, waiverOnRoutesOnly: false });
  });
});

describe("the routes of the contract", () => {
  it("exist, and require all scopes but those that the waiver never covers", () => {
    const routes = [
      ...[...ROUTES, ...OPENAI_ROUTES].map(({ method, path }) => `${method} ${path}`),
      ...OAUTH_ROUTES.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`)),
    ];
    expect(CONTRACT_ROUTES.filter((route) => !routes.includes(route))).toEqual([]);
    const covered = ROUTES.filter(({ method, path }) => CONTRACT_ROUTES.includes(`${method} ${path}`)).flatMap(
      scopesOf,
    );
    // The routes for email require `email:read` only.
    const omitted = [...NOT_ON_CONTRACT_ROUTES, "email:send"];
    for (const scope of OAUTH_SCOPES)
      expect([scope, covered.includes(scope)]).toEqual([scope, !omitted.includes(scope)]);
  });

  it.each([
    ["GET", "/api/balance", true],
    ["HEAD", "/api/balance", true],
    ["GET", "/api/autofill/orders/ord_1", true],
    ["GET", "/api/autofill/orders/ord_1/evidence", true],
    ["GET", "/api/autofill/orders/ord_1/artifacts/art_1", false],
    ["GET", "/api/autofill/orders/a/b", false],
    ["POST", "/api/balance", false],
    ["GET", "/api/balance/", false],
    ["GET", "/graphql", false],
    ["POST", "/graphql", false],
    ["GET", "/mail/messages/aem_1/html", false],
    [null, "/api/balance", false],
  ])("contain %s %s: %s", (method, path, isContained) => {
    expect(isContractRoute({ method, path })).toBe(isContained);
  });
});
