/** Terminal output of `npm start`: progress, then the URLs of a ready sandbox. */
import type { Logger } from "../platform/observability/logger.ts";
import type { DemoAccount } from "./dev/demo-account.ts";

export interface Progress {
  say(message: string): void;
  done(): void;
}

const DIM = "\x1b[2m";
const BOLD = "\x1b[1m";
const RESET = "\x1b[0m";

/** Creates the progress output: one line that is overwritten on a terminal. Elsewhere each step is a log line. */
export function createProgress(output: NodeJS.WriteStream, logger: Logger): Progress {
  const startedMs = performance.now();
  const seconds = () => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`.padStart(7);
  return {
    say(message) {
      if (output.isTTY) output.write(`\r\x1b[K${DIM}${seconds()}  ${message}${RESET}`);
      else logger.info(message);
    },
    done() {
      if (output.isTTY) output.write("\r\x1b[K");
    },
  };
}

/** Returns the URLs and credentials of a ready sandbox, with a first command. */
export function renderBanner(sandbox: {
  baseUrl: string;
  dashboardUrl: string;
  shopUrl: string;
  storeUrl: string;
  llmUrl: string | null;
  mcpUrl: string | null;
  dexUrl: string | null;
  mailUrl: string;
  demo: DemoAccount;
  path: string;
}): string {
  const bold = (text: string) => (process.stdout.isTTY ? `${BOLD}${text}${RESET}` : text);
  const target = encodeURIComponent(`${sandbox.shopUrl}/v1/weather`);
  const rows = [
    ["Dashboard", sandbox.dashboardUrl],
    ["GraphQL", `${sandbox.baseUrl}/graphql`],
    ["REST docs", `${sandbox.baseUrl}/docs`],
    ["Gateway", `${sandbox.baseUrl}/v1`],
    ["X402 seller", sandbox.shopUrl],
    ["Stores", sandbox.storeUrl],
    ["Providers", sandbox.llmUrl ?? "none"],
    ["Paid tools", sandbox.mcpUrl ?? "none"],
    ["Exchange", sandbox.dexUrl ?? "none"],
    ["Mail", sandbox.mailUrl],
    ["Wallet", sandbox.demo.wallet.evmAddress],
    ["", sandbox.demo.wallet.solanaAddress],
    ["Demo token", sandbox.demo.apiToken],
    ["Details", sandbox.path],
  ].map(([name = "", value = ""]) => `  ${name.padEnd(13)}${value}`);
  return [
    "",
    bold("Satchel is ready. The sandbox uses test money only."),
    "",
    ...rows,
    "",
    `  Sign in as ${sandbox.demo.email} with the code that arrives at ${sandbox.mailUrl}`,
    "",
    "  Pay for a resource (0.01 USD of test money):",
    "",
    `  curl -i -X POST '${sandbox.baseUrl}/api/x402/fetch?url=${target}' \\`,
    `    -H 'X-Service-Token: ${sandbox.demo.apiToken}'`,
    "",
    "",
  ].join("\n");
}
