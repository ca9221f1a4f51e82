/** What `npm start` shows: progress while it prepares, then where everything is. */
import type { DemoAccount } from "./dev/demo-account.ts";

export interface Progress {
  say(message: string): void;
  done(): void;
}

const DIM = "\x1b[2m";
const BOLD = "\x1b[1m";
const RESET = "\x1b[0m";

/** One line that changes on a terminal; one line a step elsewhere. */
export function createProgress(output: NodeJS.WriteStream): Progress {
  const startedMs = performance.now();
  const seconds = () => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`.padStart(7);
  return {
    say(message) {
      if (output.isTTY) output.write(`\r\x1b[K${DIM}${seconds()}  ${message}${RESET}`);
      else output.write(`${seconds()}  ${message}\n`);
    },
    done() {
      if (output.isTTY) output.write("\r\x1b[K");
    },
  };
}

/** The address book of a ready sandbox, and the first thing to try. */
export function banner(it: {
  baseUrl: string;
  dashboardUrl: string;
  shopUrl: string;
  storeUrl: string;
  llmUrl: string | null;
  dexUrl: string | null;
  mailUrl: string;
  demo: DemoAccount;
  path: string;
}): string {
  const bold = (text: string) => (process.stdout.isTTY ? `${BOLD}${text}${RESET}` : text);
  const target = encodeURIComponent(`${it.shopUrl}/v1/weather`);
  const rows = [
    ["Dashboard", it.dashboardUrl],
    ["GraphQL", `${it.baseUrl}/graphql`],
    ["REST docs", `${it.baseUrl}/docs`],
    ["Models", `${it.baseUrl}/v1`],
    ["Shop", it.shopUrl],
    ["Stores", it.storeUrl],
    ["Providers", it.llmUrl ?? "none"],
    ["Exchange", it.dexUrl ?? "none"],
    ["Mail", it.mailUrl],
    ["Wallet", it.demo.wallet.evmAddress],
    ["", it.demo.wallet.solanaAddress],
    ["Demo token", it.demo.apiToken],
    ["All of it", it.path],
  ].map(([name = "", value = ""]) => `  ${name.padEnd(12)}${value}`);
  return [
    "",
    bold("Satchel is ready, with a sandbox in which no money is real."),
    "",
    ...rows,
    "",
    `  Sign in as ${it.demo.email}; the code arrives at ${it.mailUrl}`,
    "",
    "  Pay for a resource (0.01 USD of the sandbox's):",
    "",
    `  curl -i -X POST '${it.baseUrl}/api/x402/fetch?url=${target}' \\`,
    `    -H 'X-Service-Token: ${it.demo.apiToken}'`,
    "",
    "",
  ].join("\n");
}
