/** The services whose exchanges are recorded, and helpers of the scenarios. */
import { vi } from "vitest";
import type { SandboxEndpoints } from "../../../sandbox/endpoints.ts";
import type { TestRelay } from "../../mail/relay.ts";
import type { OwnStack, TestAccount } from "../../support/stack.ts";
import type { Send } from "./recorder.ts";

export interface Scenario {
  /** The service with every part configured. */
  readonly stack: OwnStack & { readonly sandbox: SandboxEndpoints };
  readonly send: Send;
  /** A service without mail and trading, whose networks do not respond. */
  readonly bare: OwnStack;
  readonly sendToBare: Send;
  readonly relay: TestRelay;
}

/** Consumes all requests of a limit, so that the next one is refused. */
export async function exhaust({ service }: OwnStack, bucket: string, key: string, limit: number, windowSeconds = 60) {
  await service.deps.rateLimiter.consume(bucket, key, limit, windowSeconds, limit);
}

/** Creates an account whose token has only these scopes, and enforces them. */
export async function createScopedAccount(stack: OwnStack, scopes: readonly string[]): Promise<TestAccount> {
  const account = await stack.account({ token: { scopes: scopes as never } });
  await stack.service.deps.db.prisma.account.update({
    where: { id: account.accountId },
    data: { strictScopes: true },
  });
  return account;
}

/** Marks the key's first request as in flight again, and returns the header with the key. */
export async function reopenKey({ service }: OwnStack, { accountId }: Pick<TestAccount, "accountId">, key: string) {
  const { count } = await service.deps.db.prisma.idempotencyRecord.updateMany({
    where: { accountId, key },
    data: { answer: null as never, leasedUntil: new Date(Date.now() + 60_000) },
  });
  if (count !== 1) throw new Error(`No request had the key ${key}.`);
}

/** Records the account's event of a type once it exists. */
export async function recordEvent(
  { stack, send }: Scenario,
  { token }: Pick<TestAccount, "token">,
  type: string,
  volatile: readonly string[] = [],
): Promise<void> {
  const query = { types: type };
  await vi.waitFor(
    async () => {
      const { json } = await stack.rest(token, "GET", `/api/events?types=${type}`);
      if (json.events.length !== 1) throw new Error(`${json.events.length} events ${type}`);
    },
    { timeout: 20_000, interval: 50 },
  );
  await send("GET /api/events", `200 ${type}`, { token, query, volatile });
}
