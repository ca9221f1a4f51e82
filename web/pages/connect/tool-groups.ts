/** Groups of tools of the MCP server, as the owner chooses them. A test compares them with the server's table. */
import type { Scope } from "../../generated/graphql.ts";

interface ToolGroup {
  /** Name in the parameter `tools` of the URL. */
  readonly name: string;
  readonly text: string;
  /** Scopes of the group's tools. */
  readonly scopes: readonly Scope[];
  /** Whether the group is selected at first. */
  readonly isDefault: boolean;
}

export const TOOL_GROUPS: readonly ToolGroup[] = [
  {
    name: "wallet",
    text: "Read balances, limits and transactions",
    scopes: ["BALANCE_READ", "TRANSACTIONS_READ"],
    isDefault: true,
  },
  { name: "pay", text: "Pay for URLs and for tools of other servers", scopes: ["PAYMENTS_SIGN"], isDefault: true },
  { name: "email", text: "Read and send email", scopes: ["EMAIL_READ", "EMAIL_SEND"], isDefault: false },
  {
    name: "shop",
    text: "Order from merchants by card",
    scopes: ["ORDERS_WRITE", "CARDS_READ", "TRANSACTIONS_READ"],
    isDefault: false,
  },
  { name: "trade", text: "Swap tokens", scopes: ["TRADE_EXECUTE"], isDefault: false },
  {
    name: "identity",
    text: "Read the agent's identity and present its credentials",
    scopes: ["AGENT_READ", "PAYMENTS_SIGN"],
    isDefault: false,
  },
  { name: "developer", text: "Sign payments and call language models", scopes: ["PAYMENTS_SIGN"], isDefault: false },
];

/** Scopes of the tools in every list. */
export const SCOPES_OF_EVERY_LIST: readonly Scope[] = ["TRANSACTIONS_READ"];

/** Returns the scopes of a token for the named groups. */
export function scopesOf(names: readonly string[]): readonly Scope[] {
  const selected = TOOL_GROUPS.filter(({ name }) => names.includes(name));
  return [...new Set([...SCOPES_OF_EVERY_LIST, ...selected.flatMap(({ scopes }) => scopes)])];
}

/** Returns the URL of an MCP server whose list has the named groups. */
export function formatServerUrl(serverUrl: string, names: readonly string[]): string {
  return names.length === 0 ? serverUrl : `${serverUrl}?tools=${names.join(",")}`;
}
