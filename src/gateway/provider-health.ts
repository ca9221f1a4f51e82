/**
 * Health of one provider, per model. A model that fails is skipped for some seconds, then one call probes it. Failures of one account
 * suspend the model for that account only, since its requests may be the cause. Failures of several accounts suspend it for all.
 */

/** Why a model is not called now, and when it can be. */
export interface Suspension {
  readonly cause: "failing" | "rate_limited";
  readonly retryAfterMs: number;
}

export interface ProviderHealth {
  /** Returns why the model must not be called now; null if it may. Every call must end with one of the other methods. */
  suspensionOf(model: string, accountId: string): Suspension | null;
  succeed(model: string, accountId: string): void;
  fail(model: string, accountId: string): void;
  /** Ends a call that says nothing about the provider. */
  leave(model: string, accountId: string): void;
  /**
   * Suspends the model: the provider limits its rate. Without a time by the provider, the request itself may be above a limit, so the
   * model is suspended for its account only.
   */
  coolDown(model: string, accountId: string, retryAfterMs: number | null): void;
  /** Number of models that are suspended, for one account or for all. */
  countSuspended(): number;
}

const FAILURES_OF_ACCOUNT = 5;
/** Accounts without a success between their failures. */
const FAILING_ACCOUNTS = 3;
const SUSPENSION_MS = 10_000;
/** Limit of a Retry-After, which a provider may set to days. */
const MAX_COOL_DOWN_MS = 5 * 60_000;
/** Time without a Retry-After. */
const COOL_DOWN_MS = 1_000;
/** Limit of the accounts of a model with recent failures, and of those that cool down. */
const MAX_ACCOUNTS = 10_000;

interface Failures {
  count: number;
  suspendedUntilMs: number;
  isProbed: boolean;
}
interface ModelHealth {
  readonly all: Failures;
  readonly accounts: Map<string, Failures>;
  coolUntilMs: number;
  /** The same of one account, in the order of time. */
  readonly coolUntilMsOf: Map<string, number>;
}

const NONE = (): Failures => ({ count: 0, suspendedUntilMs: 0, isProbed: false });

/** @param clock monotonic time in milliseconds */
export function createProviderHealth(clock: () => number = () => performance.now()): ProviderHealth {
  // Only models of the catalogue are called, so callers cannot add entries.
  const models = new Map<string, ModelHealth>();
  const healthOf = (model: string): ModelHealth => {
    const found = models.get(model) ?? {
      all: NONE(),
      accounts: new Map<string, Failures>(),
      coolUntilMs: 0,
      coolUntilMsOf: new Map<string, number>(),
    };
    models.set(model, found);
    return found;
  };
  const recover = ({ all, accounts }: ModelHealth) => {
    Object.assign(all, NONE());
    accounts.clear();
  };
  return {
    suspensionOf(model, accountId) {
      const health = models.get(model);
      if (!health) return null;
      const now = clock();
      const coolUntilMs = Math.max(health.coolUntilMs, health.coolUntilMsOf.get(accountId) ?? 0);
      if (coolUntilMs > now) return { cause: "rate_limited", retryAfterMs: Math.ceil(coolUntilMs - now) };
      const concerned = [health.all, health.accounts.get(accountId)].filter((one) => one !== undefined);
      for (const { suspendedUntilMs, isProbed } of concerned) {
        if (suspendedUntilMs === 0) continue;
        const retryAfterMs = isProbed ? SUSPENSION_MS : Math.ceil(suspendedUntilMs - now);
        if (retryAfterMs > 0) return { cause: "failing", retryAfterMs };
      }
      for (const one of concerned) one.isProbed = one.suspendedUntilMs > 0;
      return null;
    },
    succeed(model) {
      const health = models.get(model);
      if (health) recover(health);
    },
    fail(model, accountId) {
      const health = healthOf(model);
      const suspendedUntilMs = clock() + SUSPENSION_MS;
      const known = health.accounts.get(accountId);
      const own = known ?? NONE();
      if (health.accounts.size < MAX_ACCOUNTS) health.accounts.set(accountId, own);
      const wasProbe = health.all.isProbed;
      own.count++;
      if (own.count >= FAILURES_OF_ACCOUNT) Object.assign(own, { suspendedUntilMs, isProbed: false });
      health.all.count = health.accounts.size;
      health.all.isProbed = false;
      // Another failure of the same account says nothing new: alone it must not extend the suspension of all.
      if (!known && (wasProbe || health.all.count >= FAILING_ACCOUNTS)) health.all.suspendedUntilMs = suspendedUntilMs;
    },
    leave(model, accountId) {
      const health = models.get(model);
      if (!health) return;
      for (const one of [health.all, health.accounts.get(accountId)]) if (one) one.isProbed = false;
    },
    coolDown(model, accountId, retryAfterMs) {
      const health = healthOf(model);
      const now = clock();
      if (retryAfterMs !== null) {
        health.coolUntilMs = Math.max(health.coolUntilMs, now + Math.min(retryAfterMs, MAX_COOL_DOWN_MS));
        return;
      }
      const { coolUntilMsOf } = health;
      for (const [id, untilMs] of coolUntilMsOf) {
        if (untilMs > now && coolUntilMsOf.size < MAX_ACCOUNTS) break;
        coolUntilMsOf.delete(id);
      }
      coolUntilMsOf.delete(accountId);
      coolUntilMsOf.set(accountId, now + COOL_DOWN_MS);
    },
    countSuspended() {
      const now = clock();
      const isSuspended = ({ all, accounts, coolUntilMs, coolUntilMsOf }: ModelHealth) =>
        [
          coolUntilMs,
          ...coolUntilMsOf.values(),
          ...[all, ...accounts.values()].map((one) => one.suspendedUntilMs),
        ].some((untilMs) => untilMs > now);
      return [...models.values()].filter(isSuspended).length;
    },
  };
}
