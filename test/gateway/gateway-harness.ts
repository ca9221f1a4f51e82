/** Test helpers: the complete service with the sandbox's providers, and the official OpenAI client. */
import OpenAI from "openai";
import { vi } from "vitest";
import type { GatewayCall, Transaction } from "../../generated/prisma/client.ts";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { finalizeChains, reconcileNow } from "../e2e/reconcile.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

const PRICED = { contextLength: 128_000, maxOutputTokens: 1_024, supportedParameters: ["max_tokens"] };
const byToken = (id: string) => ({
  ...PRICED,
  id,
  promptUsdPerToken: "0.000002",
  completionUsdPerToken: "0.000008",
});
const flat = (id: string) => ({
  ...PRICED,
  id,
  promptUsdPerToken: "0",
  completionUsdPerToken: "0",
  requestUsd: "0.002",
});
const FAULTS = ["429", "500", "hangs", "refuses", "settles-then-500", "settles-then-429", "settles-then-drops"];
const MIDWAY = ["cuts", "cuts-at-once", "bad-json", "error-midstream", "forged-usage", "no-usage", "no-done"];

/**
 * Returns the provider configuration. Two paid providers with a fault offer `sandbox/<fault>`, followed by two without.
 * One paid provider offers `only/<fault>`, and one with an API key offers `keyed/<fault>`.
 */
function providers(llmUrl: string): string {
  const at = (path: string) => ({ baseUrl: `${llmUrl}/${path}/v1` });
  const key = { kind: "key", apiKey: "sandbox-llm-key" };
  const faults = [...FAULTS, ...MIDWAY];
  return JSON.stringify([
    ...["exact-v2", "upto-v2", "exact-v1", "upto-v1"].map((name) => ({ name, ...at(name), kind: "x402" })),
    { name: "key", ...at("key"), ...key },
    {
      name: "free",
      ...at("key"),
      ...key,
      models: [{ ...PRICED, id: "free/echo", promptUsdPerToken: "0", completionUsdPerToken: "0" }],
    },
    // One provider per fault, so that an open circuit breaker does not affect other tests.
    ...faults.map((fault) => ({
      name: `first-${fault}`,
      ...at("faulty"),
      kind: "x402",
      models: [flat(`sandbox/${fault}`)],
    })),
    { name: "second", ...at("faulty"), kind: "x402", models: [flat("sandbox/settles-then-500")] },
    { name: "third", ...at("exact-v1"), kind: "x402", models: faults.map((fault) => flat(`sandbox/${fault}`)) },
    ...faults.map((fault) => ({
      name: `only-${fault}`,
      ...at("faulty"),
      kind: "x402",
      models: [flat(`only/${fault}`)],
    })),
    ...faults.map((fault) => ({
      name: `keyed-${fault}`,
      ...at("faulty-key"),
      ...key,
      models: [byToken(`keyed/${fault}`)],
    })),
  ]);
}

export interface GatewayStack extends OwnStack {
  readonly sandbox: SandboxEndpoints;
  client(account: TestAccount, options?: { maxRetries?: number }): OpenAI;
  /** Returns the account's ledger, oldest first. */
  ledger(account: TestAccount): Promise<Transaction[]>;
  /** Returns the ledger once no payment is outstanding. */
  settledLedger(account: TestAccount): Promise<Transaction[]>;
  /** Returns the account's call records, oldest first. */
  calls(account: TestAccount): Promise<GatewayCall[]>;
  /** Returns the requests that a provider received. */
  observed(path: string): Promise<{ requests: { payment: string | null }[]; distinctPayments: unknown[] }>;
  resetObserved(): Promise<void>;
}

export async function startGatewayStack(env: Record<string, string> = {}): Promise<GatewayStack> {
  const stack = await startStack({
    networks: ["base-sepolia"],
    env: ({ llmUrl }) => ({ GATEWAY_PROVIDERS: providers(String(llmUrl)), ...env }),
  });
  const sandbox = stack.sandbox as SandboxEndpoints;
  const { prisma } = stack.service.deps.db;
  const ledger = ({ accountId }: TestAccount) =>
    prisma.transaction.findMany({
      where: { accountId, direction: "out" },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
  return {
    ...stack,
    sandbox,
    client: ({ token }, options = {}) => new OpenAI({ apiKey: token, baseURL: `${stack.baseUrl}/v1`, ...options }),
    ledger,
    settledLedger: (account) =>
      vi.waitFor(
        async () => {
          const rows = await ledger(account);
          const open = rows.filter(({ status }) => status === "reserved" || status === "signed");
          if (open.length > 0) {
            await finalizeChains(stack.service);
            await reconcileNow(stack.service);
            throw new Error(`${open.length} are outstanding`);
          }
          return rows;
        },
        { timeout: 20_000, interval: 100 },
      ),
    async calls({ accountId }) {
      await stack.service.deps.gateway.calls.flush();
      return await prisma.gatewayCall.findMany({
        where: { accountId },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      });
    },
    async observed(path) {
      const response = await fetch(`${sandbox.adminUrl}/observed?path=${encodeURIComponent(`llm:${path}`)}`);
      return (await response.json()) as Awaited<ReturnType<GatewayStack["observed"]>>;
    },
    async resetObserved() {
      await fetch(`${sandbox.adminUrl}/reset-faults`, { method: "POST" });
    },
  };
}

export const say = (content: string) => [{ role: "user" as const, content }];
