/** The SDK's clients with their OAuth provider: from the first 401 through consent to a payment, and with more scope. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  CALLBACK,
  createClient,
  decideAuthorization,
  openSignedInBrowser,
  postOAuth,
  readRequestId,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { MODES, type Mode, NEGOTIATIONS, wrap } from "./clients.ts";

let stack: Stack;
let account: TestAccount;
let browser: Browser;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  browser = await openSignedInBrowser(stack, account.accountId);
});

/** A provider of one client, whose user approves everything in the browser. */
function createProvider(app: TestClient | null) {
  const redirectUrl = app ? CALLBACK : "http://127.0.0.1:33418/callback";
  const registered = app ? { client_id: app.clientId, client_secret: app.secret } : undefined;
  const stored: { client: unknown; tokens?: { access_token: string }; verifier?: string; url?: URL } = {
    client: registered,
  };
  return {
    redirectUrl,
    // The contract requires it.
    state: () => "state-1",
    clientMetadata: {
      client_name: "Test host",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: app ? "client_secret_post" : "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    clientInformation: () => stored.client,
    saveClientInformation: (client: unknown) => void Object.assign(stored, { client }),
    tokens: () => stored.tokens,
    saveTokens: (tokens: unknown) => void Object.assign(stored, { tokens }),
    saveCodeVerifier: (verifier: string) => void Object.assign(stored, { verifier }),
    codeVerifier: () => stored.verifier ?? "",
    redirectToAuthorization: (url: URL) => void Object.assign(stored, { url }),
    /** Follows the redirect as the user. Returns its parameters and those of the callback. */
    async approve(): Promise<{ requested: URLSearchParams; callback: URLSearchParams }> {
      if (!stored.url) throw new Error("The client did not redirect.");
      const { pathname, searchParams: requested } = stored.url;
      const consent = await browser.navigate(
        `${pathname}?${new URLSearchParams([...requested, ["prompt", "consent"]])}`,
      );
      const { continueUrl } = await decideAuthorization(browser, readRequestId(consent));
      const callback = new URL((await browser.navigate(continueUrl)).headers.get("location") ?? "");
      return { requested, callback: callback.searchParams };
    },
  };
}

/** Connects a client: the first attempt ends with the redirect, the second one has a token. */
async function connectWithOAuth(mode: Mode, app: TestClient | null, query = "") {
  const url = new URL(`${stack.baseUrl}/mcp${query}`);
  const provider = createProvider(app);
  const open = () => {
    const options = { authProvider: provider as never };
    const transport = mode === "v1" ? new TransportV1(url, options) : new StreamableHTTPClientTransport(url, options);
    const client =
      mode === "v1"
        ? new ClientV1({ name: "t", version: "1" })
        : new Client({ name: "t", version: "1" }, NEGOTIATIONS[mode] as never);
    return { transport, client };
  };
  const first = open();
  await expect(first.client.connect(first.transport as never)).rejects.toThrow();
  const { requested, callback } = await provider.approve();
  if (mode === "v1") await (first.transport as TransportV1).finishAuth(callback.get("code") ?? "");
  else await (first.transport as StreamableHTTPClientTransport).finishAuth(callback);
  const second = open();
  await second.client.connect(second.transport as never);
  return { client: wrap(second.client as never), requested, provider };
}

describe.each(MODES)("a client of %s", (mode) => {
  it("discovers the server, requests its resource and the scopes of its tools, and calls them", async () => {
    const app = await createClient(stack, { strictScopes: true });
    const { client, requested, provider } = await connectWithOAuth(mode, app, "?tools=wallet");
    expect(requested.get("resource")).toBe(`${stack.baseUrl}/mcp`);
    expect(requested.get("scope")).toBe("balance:read transactions:read");
    expect((await client.call("get_wallet")).json).toMatchObject({ network: "base-sepolia" });
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual(["get_wallet", "list_transactions", "get_transaction", "get_request_status"]);
    const token = provider.tokens()?.access_token ?? "";
    const { json } = await postOAuth(stack, "/oauth/introspect", {
      token,
      client_id: app.clientId,
      client_secret: app.secret,
    });
    expect(json.aud).toEqual([`${stack.baseUrl}/mcp`]);
    await client.close();
  });

  it("registers itself, and has the tools that an app without a review may use", async () => {
    const { client } = await connectWithOAuth(mode, null);
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toContain("get_wallet");
    expect(client.instructions()).toContain("Off for this token");
    await client.close();
  });
});
