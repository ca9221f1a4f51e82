/** The MCP server over HTTP with the SDK's clients. */
// @module-tag postgresql
import { beforeAll, describe, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { connect, MODES } from "./clients.ts";

let stack: Stack;
let account: TestAccount;
let url: string;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  url = `${stack.baseUrl}/mcp`;
});

describe("clients", () => {
  it.each(MODES)("serves %s with the same list and results", async (mode) => {
    const client = await connect(url, account.token, mode);
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("get_wallet");
    const wallet = await client.call("get_wallet");
    expect(wallet).toMatchObject({ isError: false, json: { network: "base-sepolia", credit_usd: "5.00" } });
    expect(wallet.structured).toEqual(wallet.json);
    expect(client.instructions()).toContain("untrusted_content");
    await client.close();
  });
});
