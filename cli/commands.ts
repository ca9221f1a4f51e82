import type { Command } from "./command.ts";
import { endSessions, findAccount, listActs, showAccount, treasury } from "./commands/admin.ts";
import { balance } from "./commands/balance.ts";
import { fetchResource } from "./commands/fetch.ts";
import { freeze, unfreeze } from "./commands/freeze.ts";
import { login } from "./commands/login.ts";
import { logout } from "./commands/logout.ts";
import { mcp } from "./commands/mcp.ts";
import { sign } from "./commands/sign.ts";
import { transactions } from "./commands/transactions.ts";
import { whoami } from "./commands/whoami.ts";
import { createCompletionScript } from "./completion.ts";

const text = { type: "string" } as const;
const METHOD_HELP = "HTTP method: GET, POST, PUT, DELETE or PATCH";
const MAX_VALUE_HELP = [
  "--max-value AMOUNT",
  "maximum payment in the asset's smallest unit: 250000 is 0.25 USDC",
] as const;
const KEY_HELP = ["--idempotency-key KEY", "requests with the same key pay only once"] as const;

/** All commands, in the order of the help text. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    summary: "Sign in through the browser, of this device or another",
    operands: [],
    options: { device: { type: "boolean" }, "no-browser": { type: "boolean" }, timeout: text },
    optionHelp: [
      ["--device", "print a code to enter in a browser on another device; default over SSH and in containers"],
      ["--no-browser", "print the sign-in URL for a browser on this device"],
      ["--timeout SECONDS", "time to wait for the browser, up to 300; default: 300"],
    ],
    run: login,
  },
  logout: {
    summary: "Sign out and revoke the tokens",
    operands: [],
    options: {},
    optionHelp: [],
    run: logout,
  },
  whoami: { summary: "Show the signed-in account", operands: [], options: {}, optionHelp: [], run: whoami },
  balance: {
    summary: "Show the wallet's balance",
    operands: [],
    options: { network: text },
    optionHelp: [["--network NAME", "base, base-sepolia, solana, solana-devnet or avalanche"]],
    run: balance,
  },
  transactions: {
    summary: "List ledger entries, newest first",
    operands: [],
    options: { limit: text, cursor: text, type: text, status: text, network: text },
    optionHelp: [
      ["--limit COUNT", "number of entries, 1 to 100; default: 20"],
      ["--cursor CURSOR", "start after this cursor, printed with the previous page"],
      ["--type TYPE", "x402, trade, transfer, credit, gateway or deposit"],
      ["--status STATUS", "reserved, signed, settled, released or failed"],
      ["--network NAME", "only entries on this network"],
    ],
    run: transactions,
  },
  fetch: {
    summary: "Fetch a URL and pay if required",
    operands: ["URL"],
    options: { method: text, "max-value": text, data: text, timeout: text, "idempotency-key": text },
    optionHelp: [
      ["--method METHOD", `${METHOD_HELP}; default: GET, with --data POST`],
      MAX_VALUE_HELP,
      ["--data JSON", "request body; - reads standard input"],
      ["--timeout SECONDS", "time to wait for the resource; default: 30"],
      KEY_HELP,
    ],
    run: fetchResource,
  },
  sign: {
    summary: "Sign a payment and print its header",
    operands: ["URL"],
    options: { method: text, "max-value": text, requirements: text, "idempotency-key": text },
    optionHelp: [
      ["--method METHOD", `${METHOD_HELP}; default: GET`],
      MAX_VALUE_HELP,
      ["--requirements JSON", "body of the 402 response, or - for standard input; default: request it from the URL"],
      KEY_HELP,
    ],
    run: sign,
  },
  mcp: {
    summary: "Serve the tools of the service to an MCP client on standard input and output",
    operands: [],
    options: { tools: text, "read-only": { type: "boolean" } },
    optionHelp: [
      ["--tools GROUPS", "groups of tools, separated by commas, such as wallet,trade; default: those of /mcp"],
      ["--read-only", "only tools without an effect"],
    ],
    run: mcp,
  },
  "account-find": {
    summary: "Operator: find an account by email, id, address or agent",
    operands: ["TEXT"],
    options: {},
    optionHelp: [],
    run: findAccount,
  },
  "account-show": {
    summary: "Operator: show an account's state",
    operands: ["ACCOUNT_ID"],
    options: {},
    optionHelp: [],
    run: showAccount,
  },
  "account-end-sessions": {
    summary: "Operator: end all sessions of an account",
    operands: ["ACCOUNT_ID"],
    options: { reason: text },
    optionHelp: [["--reason TEXT", "the reason, recorded with the act"]],
    run: endSessions,
  },
  "acts-list": {
    summary: "Operator: list acts of administrators, newest first",
    operands: [],
    options: { account: text },
    optionHelp: [["--account ACCOUNT_ID", "only acts on this account"]],
    run: listActs,
  },
  treasury: {
    summary: "Operator: show the treasury's addresses and balances",
    operands: [],
    options: {},
    optionHelp: [],
    run: treasury,
  },
  freeze: {
    summary: "Stop everything in an account, or in the service",
    operands: [],
    options: { account: text, service: { type: "boolean" }, reason: text },
    optionHelp: [
      ["--account ID", "freeze this account, with SATCHEL_ADMIN_TOKEN; default: the signed-in account"],
      ["--service", "freeze the whole service, with SATCHEL_ADMIN_TOKEN"],
      ["--reason TEXT", "recorded; required with --account and --service"],
    ],
    run: freeze,
  },
  unfreeze: {
    summary: "End the freeze of an account or of the service",
    operands: [],
    options: { account: text, service: { type: "boolean" }, reason: text },
    optionHelp: [
      ["--account ID", "end any freeze of this account, with SATCHEL_ADMIN_TOKEN"],
      ["--service", "end the freeze of the service, with SATCHEL_ADMIN_TOKEN"],
      ["--reason TEXT", "recorded; required"],
    ],
    run: unfreeze,
  },
  completion: {
    summary: "Print a completion script",
    operands: ["SHELL"],
    options: {},
    optionHelp: [["SHELL", "bash, zsh or fish"]],
    run: async ({ positionals: [shell = ""], output }) => {
      const script = createCompletionScript(shell, COMMANDS);
      output.result({ shell, script }, () => [script]);
    },
  },
};
