/** Connection of an agent: a newcomer sets limits, copies the configuration, and the agent pays within them. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
afterAll(() => pages?.stop());

/** Presses the copy button of a step, and returns the clipboard. */
async function copyStep({ page }: PageUser, name: string): Promise<string> {
  await page.getByRole("button", { name: `Copy ${name}`, exact: true }).click();
  await page.getByText(`Copied ${name}.`, { exact: true }).waitFor();
  return await page.evaluate("navigator.clipboard.readText()");
}

async function fillForm({ page }: PageUser, name: string) {
  await page.getByLabel("Limit per payment").fill("0.01");
  await page.getByLabel("Daily limit").fill("0.015");
  await page.getByLabel("Name of the agent").fill(name);
}

async function connectClient(url: string, header: string) {
  const client = new Client({ name: "test", version: "1" });
  const [name = "", value = ""] = header.split(": ");
  const requestInit = { headers: { [name]: value } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

it("a newcomer connects an agent, which pays for the weather within the limits", async () => {
  const person = await pages.openUser();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await pages.signIn(person, "newcomer@people.test");
  await page.getByRole("link", { name: "Connect an agent" }).first().click();
  await page.waitForURL("**/dashboard/connect");
  await page.getByText("No token is required.").waitFor();
  await checkPage(person, "connect-new");

  await page.getByRole("button", { name: "Enable payments" }).click();
  await page.getByText("X402 payments are disabled").waitFor({ state: "detached" });

  // No token without limits, name and tools.
  await page.getByRole("button", { name: "Create token" }).click();
  await expect.poll(() => page.getByText("Enter an amount such as 5 or 0.25.").count()).toBe(2);
  await page.getByText("Enter a name.").waitFor();
  await fillForm(person, "Weather agent");
  await page.getByLabel("Read balances, limits and transactions").uncheck();
  await page.getByLabel("Pay for URLs and for tools of other servers").uncheck();
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByText("Select at least one group of tools.").waitFor();
  await page.getByLabel("Read balances, limits and transactions").check();
  await page.getByLabel("Pay for URLs and for tools of other servers").check();
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("heading", { name: "Token of “Weather agent”" }).waitFor();

  await page.getByRole("tab", { name: "Other" }).click();
  const url = await copyStep(person, "step 1 with the token");
  const header = await copyStep(person, "step 2 with the token");
  expect(url).toBe(`${pages.stack.baseUrl}/mcp?tools=wallet,pay`);
  await checkPage(person, "connect-created");

  const client = await connectClient(url, header);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("fetch_paid_url");
  expect(tools.map(({ name }) => name)).not.toContain("send_email");
  const buy = () =>
    client.callTool({
      name: "fetch_paid_url",
      arguments: { url: `${pages.stack.sandbox?.shopUrl}/v1/weather`, max_usd: "0.01" },
    });
  const bought = await buy();
  expect(bought.isError ?? false, JSON.stringify(bought.content)).toBe(false);
  expect(JSON.stringify(bought.structuredContent ?? bought.content)).toContain("Porto");
  const refused = await buy();
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain("spending_limit_exceeded");
  await client.close();

  await page.getByRole("link", { name: "Overview" }).first().click();
  const row = page.getByRole("table", { name: "Transactions" }).getByRole("row").filter({ hasText: "/v1/weather" });
  await row.getByText("by Weather agent").waitFor();
  await row.getByText("0.01").first().waitFor();
  expect(await row.count()).toBe(1);

  // The secret is gone once the page was left.
  const secret = header.replace("Authorization: Bearer ", "");
  await page.goBack();
  await page.getByLabel("Name of the agent").waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(
    await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])"),
  ).not.toContain(secret);
  expect(person.browserErrors).toEqual([]);
});

/** Opens the loopback listener of a host, and returns its OAuth provider. */
async function openHost() {
  const received = Promise.withResolvers<URLSearchParams>();
  const listener = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname === "/callback") received.resolve(searchParams);
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Connected</title><p>Connected</p>");
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => void listener.close());
  const redirectUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
  const stored: { client?: unknown; tokens?: unknown; discovery?: unknown; verifier?: string; url?: URL } = {};
  const provider = {
    redirectUrl,
    state: () => "state-1",
    clientMetadata: {
      client_name: "Weather host",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    clientInformation: () => stored.client,
    saveClientInformation: (client: unknown) => void Object.assign(stored, { client }),
    discoveryState: () => stored.discovery,
    saveDiscoveryState: (discovery: unknown) => void Object.assign(stored, { discovery }),
    tokens: () => stored.tokens,
    saveTokens: (tokens: unknown) => void Object.assign(stored, { tokens }),
    saveCodeVerifier: (verifier: string) => void Object.assign(stored, { verifier }),
    codeVerifier: () => stored.verifier ?? "",
    redirectToAuthorization: (url: URL) => void Object.assign(stored, { url }),
  };
  return { provider: provider as never, authorizationUrl: () => String(stored.url), callback: received.promise };
}

const MAX_NEWCOMER_MS = 120_000;

it("a newcomer pastes the URL alone, approves limits in the browser, and sees the payment within two minutes", async () => {
  const startedAtMs = performance.now();
  const person = await pages.openUser();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await pages.signIn(person, "url-alone@people.test", "/dashboard/connect");
  await page.getByRole("tab", { name: "Other" }).click();
  const url = new URL(await copyStep(person, "step 1 with the URL alone"));

  const host = await openHost();
  const open = () => {
    const transport = new StreamableHTTPClientTransport(url, { authProvider: host.provider });
    return { transport, client: new Client({ name: "test", version: "1" }) };
  };
  const first = open();
  await expect(first.client.connect(first.transport)).rejects.toThrow("Unauthorized");
  await page.goto(host.authorizationUrl());
  await page.getByRole("button", { name: "Enable payments" }).click();
  await page.getByLabel("Per payment").fill("0.01");
  await page.getByLabel("Per day").fill("0.015");
  await page.getByLabel("Per month").fill("1");
  await page.getByLabel("base-sepolia").check();
  await page.getByRole("button", { name: "Allow" }).click();
  await first.transport.finishAuth(await host.callback);

  const { transport, client } = open();
  await client.connect(transport);
  const args = { url: `${pages.stack.sandbox?.shopUrl}/v1/weather`, max_usd: "0.01" };
  const bought = await client.callTool({ name: "fetch_paid_url", arguments: args });
  expect(JSON.stringify(bought.content)).toContain("Porto");
  const refused = await client.callTool({ name: "fetch_paid_url", arguments: args });
  expect(JSON.stringify(refused.content)).toContain("spending_limit_exceeded");
  await client.close();

  await page.goto("/dashboard");
  const row = page.getByRole("table", { name: "Transactions" }).getByRole("row").filter({ hasText: "/v1/weather" });
  await row.getByText("by Weather host").waitFor();
  expect(await row.count()).toBe(1);
  expect(performance.now() - startedAtMs).toBeLessThan(MAX_NEWCOMER_MS);
  expect(person.browserErrors).toEqual([]);
});

it("is operated by keyboard, and shows each host with what it accepts", async () => {
  const { accountId } = await pages.stack.account();
  const person = await openSignedInPage(pages, accountId);
  const { page } = person;
  await page.goto("/dashboard/connect");
  await fillForm(person, "Keyboard agent");
  await page.getByLabel("Name of the agent").press("Enter");
  await page.getByRole("heading", { name: "Token of “Keyboard agent”" }).waitFor();
  const selected = page.getByRole("tab", { selected: true });
  await page.getByRole("tab", { name: "Claude Code" }).focus();
  const panel = page.getByRole("tabpanel");
  await panel.getByText(/^claude mcp add .* --header 'Authorization: Bearer satchel_sk_/).waitFor();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => selected.textContent()).toBe("Claude Desktop, claude.ai");
  await panel.getByText("This host cannot send an API token.").waitFor();
  expect(await panel.textContent()).not.toContain("satchel_sk_");
  await page.keyboard.press("End");
  await expect.poll(() => selected.textContent()).toBe("Other");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => selected.textContent()).toBe("Claude Code");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => selected.textContent()).toBe("Vercel AI SDK");
  await panel.getByText("createMCPClient").first().waitFor();
  expect(await panel.getByText("URL alone").count()).toBe(0);
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate("document.activeElement.role")).toBe("tabpanel");
  expect(person.browserErrors).toEqual([]);
});

it("shows no configuration without the server's URL, and retries on request", async () => {
  const { accountId } = await pages.stack.account();
  const { page } = await openSignedInPage(pages, accountId);
  const metadata = "**/.well-known/oauth-protected-resource/mcp";
  await page.route(metadata, (route) => route.fulfill({ status: 503, json: { error: "unavailable" } }));
  await page.goto("/dashboard/connect");
  await page.getByText("The URL of the MCP server is unavailable.").waitFor();
  expect(await page.getByRole("tablist").count()).toBe(0);
  await page.unroute(metadata);
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText(`${pages.stack.baseUrl}/mcp?tools=wallet,pay`, { exact: true }).first().waitFor();
});
