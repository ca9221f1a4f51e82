/** Configurations of hosts: they carry exactly the URL and token, and the groups of tools match the MCP server. */
import { describe, expect, it } from "vitest";
import { GROUP_NAMES, type Group } from "../../mcp/groups.ts";
import { HOSTS, type Host } from "../../web/pages/connect/hosts.ts";
import { formatServerUrl, SCOPES_OF_EVERY_LIST, scopesOf, TOOL_GROUPS } from "../../web/pages/connect/tool-groups.ts";
import { CATALOG } from "../mcp/catalog.ts";

const URL_TEXT = "https://satchel.example/mcp?tools=wallet,pay";
const TOKEN = "satchel_sk_0123456789";
const hostOf = (id: string) => HOSTS.find((host) => host.id === id) as Host;
const codesOf = (id: string) => (hostOf(id).withToken?.(URL_TEXT, TOKEN) ?? []).map(({ code }) => code);

describe("groups of tools", () => {
  const scopesOfGroup = (group: Group | "always") =>
    new Set(
      CATALOG.filter(({ tool }) => tool.group === group)
        .flatMap(({ scopes }) => scopes)
        .map((scope) => scope.replace(":", "_").toUpperCase()),
    );

  it("are those of the server, in its order", () => {
    expect(TOOL_GROUPS.map(({ name }) => name)).toEqual(GROUP_NAMES);
  });

  it.each(TOOL_GROUPS)("$name has exactly the scopes of its tools", ({ name, scopes }) => {
    expect(new Set(scopes)).toEqual(scopesOfGroup(name as Group));
  });

  it("in every list has the scopes that every token gets", () => {
    expect(new Set(SCOPES_OF_EVERY_LIST)).toEqual(scopesOfGroup("always"));
    expect(scopesOf([])).toEqual(SCOPES_OF_EVERY_LIST);
  });

  it("never include management of the account", () => {
    expect(scopesOf(GROUP_NAMES)).not.toContain("ACCOUNT_MANAGE");
  });

  it("are in the URL, which is the default list without any", () => {
    expect(formatServerUrl("https://satchel.example/mcp", ["wallet", "pay"])).toBe(URL_TEXT);
    expect(formatServerUrl("https://satchel.example/mcp", [])).toBe("https://satchel.example/mcp");
  });
});

describe("hosts", () => {
  it.each(HOSTS)("$name has a configuration with the URL, and the token only where it is required", (host) => {
    expect(host.signIn ?? host.withToken).not.toBeNull();
    const signIn = host.signIn?.(URL_TEXT) ?? [];
    const withToken = host.withToken?.(URL_TEXT, TOKEN) ?? [];
    for (const steps of [signIn, withToken].filter(({ length }) => length > 0)) {
      expect(steps.filter(({ code }) => code.includes(URL_TEXT))).toHaveLength(1);
    }
    expect(withToken.filter(({ code }) => code.includes(TOKEN))).toHaveLength(withToken.length > 0 ? 1 : 0);
    for (const { language, code } of [...signIn, ...withToken]) if (language === "json") JSON.parse(code);
  });

  it("have unique ids", () => {
    expect(new Set(HOSTS.map(({ id }) => id)).size).toBe(HOSTS.length);
  });

  it("store the token in no source file and no file of VS Code", () => {
    for (const id of ["openai-agents", "langchain", "ai-sdk", "codex", "vs-code"]) {
      expect(codesOf(id)[0], id).not.toContain(TOKEN);
    }
  });
});
