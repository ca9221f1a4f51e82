/** Rules for every tool of the table. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { getOperationAST, OperationTypeNode } from "graphql";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { annotationsOf } from "../../mcp/catalog.ts";
import { DEFAULT_GROUPS, GROUP_NAMES } from "../../mcp/groups.ts";
import { writeInstructions } from "../../mcp/instructions.ts";
import { isSelected, readSelection } from "../../mcp/selection.ts";
import { MAX_BODY_BYTES, MAX_RECIPIENTS, MAX_SUBJECT_LENGTH } from "../../src/mail/outgoing/email-input.ts";
import { CATALOG } from "./catalog.ts";

const MAX_DEFAULT_LIST_TOKENS = 6_000;
/** Arguments that make a repeated call of a spending tool the same purchase. */
const KEYS = ["payment_id", "quote_id", "idempotency_key"];

const listed = (entries: typeof CATALOG) =>
  entries.map(({ tool, inputSchema, outputSchema }) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    annotations: annotationsOf(tool),
    inputSchema,
    ...(outputSchema ? { outputSchema } : {}),
  }));

describe("the list", () => {
  it("has a unique name of a verb and a noun for each tool, and at most 6,000 tokens by default", () => {
    const names = CATALOG.map(({ tool }) => tool.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^(?:chat|[a-z]+(?:_[a-z]+)+)$/);
    const selection = readSelection({});
    const tools = listed(CATALOG.filter(({ tool }) => isSelected(tool, selection)));
    expect(countTokens(JSON.stringify({ tools }))).toBeLessThanOrEqual(MAX_DEFAULT_LIST_TOKENS);
  });

  it("has the selected groups in the order of the table, and no effect in a read-only list", () => {
    const namesOf = (query: Record<string, string>) => {
      const selection = readSelection(query);
      return CATALOG.filter(({ tool }) => isSelected(tool, selection));
    };
    expect(readSelection({})).toEqual({ groups: DEFAULT_GROUPS, isReadOnly: false });
    const trade = namesOf({ tools: "trade" }).map(({ tool }) => tool.name);
    expect(trade).toEqual(["get_request_status", "list_trade_tokens", "quote_trade", "execute_trade"]);
    for (const { tool } of namesOf({ tools: GROUP_NAMES.join(","), read_only: "1" })) expect(tool.effect).toBe("none");
  });

  it.each([
    [{ tools: "wallet,all" }, "tools"],
    [{ tools: "" }, "tools"],
    [{ tools: ["wallet", "trade"] }, "tools"],
    [{ read_only: "yes" }, "read_only"],
    [{ tool: "wallet" }, "tool"],
  ])("refuses the query %j", (query, field) => {
    expect(() => readSelection(query)).toThrowError(expect.objectContaining({ code: "invalid_request", field }));
  });
});

describe.each(CATALOG.map((entry) => [entry.tool.name, entry] as const))(
  "%s",
  (_name, { tool, inputSchema, accesses }) => {
    it("has strict flat arguments, four annotations and a purchase key if it spends", () => {
      expect(inputSchema["additionalProperties"]).toBe(false);
      expect(Object.values(annotationsOf(tool)).every((hint) => typeof hint === "boolean")).toBe(true);
      const names = Object.keys(tool.input.shape);
      for (const name of names) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      if (tool.effect === "spends") expect(names.some((name) => KEYS.includes(name))).toBe(true);
      if (names.includes("idempotency_key")) {
        const key = inputSchema.properties["idempotency_key"] as { description?: string };
        expect(key.description).toBe("Reuse the key when you retry this purchase.");
      }
      expect(tool.output === null || tool.output instanceof z.ZodObject).toBe(true);
    });

    it("declares the effect of its document, and requires the access of its fields", () => {
      const operation = getOperationAST(tool.document)?.operation;
      if (tool.effect === "none") expect(operation).toBe(OperationTypeNode.QUERY);
      else expect(operation).toBe(OperationTypeNode.MUTATION);
      expect(accesses.length).toBeGreaterThan(0);
      // No tool changes limits, tokens or settings.
      for (const { caller } of accesses) expect(["anyone", "payer", "account"]).toContain(caller);
    });
  },
);

it("names in the instructions what is off, and where the owner enables it", () => {
  const dashboardUrl = "https://satchel.example/dashboard";
  const selection = readSelection({});
  const caller = { x402Enabled: false, isFrozen: true };
  const permitted = CATALOG.filter(({ tool }) => tool.name !== "list_transactions");
  const text = writeInstructions(CATALOG, permitted, { selection, caller, dashboardUrl });
  expect(text).toContain("Off for this token: list_transactions. They need the scopes transactions:read");
  expect(text).toMatch(/X402 payments are off.*dashboard/);
  expect(text).toContain("frozen");
  expect(text).toContain("tools=");
  const all = { x402Enabled: true, isFrozen: false };
  expect(writeInstructions(CATALOG, CATALOG, { selection, caller: all, dashboardUrl })).not.toContain(" off");
});

it("states the limits of an email that the service enforces", () => {
  const properties = CATALOG.find(({ tool }) => tool.name === "send_email")?.inputSchema.properties;
  expect(properties).toMatchObject({
    to: {
      maxItems: MAX_RECIPIENTS,
      description: expect.stringContaining(`${MAX_RECIPIENTS} addresses in to and cc together`),
    },
    cc: { maxItems: MAX_RECIPIENTS },
    subject: { maxLength: MAX_SUBJECT_LENGTH },
    body: { maxLength: MAX_BODY_BYTES },
  });
});
