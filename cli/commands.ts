import type { Command } from "./command.ts";
import { balance } from "./commands/balance.ts";
import { fetchResource } from "./commands/fetch.ts";
import { login } from "./commands/login.ts";
import { logout } from "./commands/logout.ts";
import { sign } from "./commands/sign.ts";
import { transactions } from "./commands/transactions.ts";
import { whoami } from "./commands/whoami.ts";

const text = { type: "string" } as const;
const METHOD_HELP = "the method used toward it: GET, POST, PUT, DELETE, PATCH";
const KEY_HELP = ["--idempotency-key KEY", "the same key pays once, however often it is sent"] as const;

/** Every command, in the order in which help lists them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    summary: "Sign in through the browser",
    operands: [],
    options: { "no-browser": { type: "boolean" }, timeout: text },
    optionHelp: [
      ["--no-browser", "only print the address to open"],
      ["--timeout SECONDS", "how long to wait for the browser, at most and by default 300"],
    ],
    run: login,
  },
  logout: {
    summary: "End the sign-in, here and at the service",
    operands: [],
    options: {},
    optionHelp: [],
    run: logout,
  },
  whoami: { summary: "Show whose sign-in it is", operands: [], options: {}, optionHelp: [], run: whoami },
  balance: {
    summary: "Show what the wallet holds",
    operands: [],
    options: { network: text },
    optionHelp: [["--network NAME", "base, base-sepolia, solana, solana-devnet or avalanche"]],
    run: balance,
  },
  transactions: {
    summary: "List the ledger, newest first",
    operands: [],
    options: { limit: text, cursor: text, type: text, status: text, network: text },
    optionHelp: [
      ["--limit COUNT", "how many, 1 to 100; default 20"],
      ["--cursor CURSOR", "go on where the last page ended"],
      ["--type TYPE", "x402, trade, transfer, credit, gateway or deposit"],
      ["--status STATUS", "reserved, signed, settled, released or failed"],
      ["--network NAME", "on this network alone"],
    ],
    run: transactions,
  },
  fetch: {
    summary: "Call a resource, and pay for it if it asks for that",
    operands: ["URL"],
    options: { method: text, "max-value": text, data: text, timeout: text, "idempotency-key": text },
    optionHelp: [
      ["--method METHOD", `${METHOD_HELP}; default GET, with --data POST`],
      ["--max-value AMOUNT", "pay at most this, in the asset's smallest unit: 250000 is 0.25 USDC"],
      ["--data JSON", "send this body; - reads it from standard input"],
      ["--timeout SECONDS", "how long to wait for the resource; default 30"],
      KEY_HELP,
    ],
    run: fetchResource,
  },
  sign: {
    summary: "Sign a payment, and print the header to attach",
    operands: ["URL"],
    options: { method: text, requirements: text, "idempotency-key": text },
    optionHelp: [
      ["--method METHOD", `${METHOD_HELP}; default GET`],
      ["--requirements JSON", "the body of its 402 answer; - reads standard input; default: it is asked"],
      KEY_HELP,
    ],
    run: sign,
  },
};
