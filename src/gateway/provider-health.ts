/**
 * Health of one provider, per model. A model is refused only to an account whose own calls failed or were rate limited, since its
 * requests may be the cause. After failures of several accounts the provider is called last for all, but never refused: nothing that
 * callers send suspends a model for other accounts.
 */

/** Why a model is not called now for an account, and when it can be. */
export interface Suspension {
  readonly cause: "failing" | "rate_limited";
  readonly retryAfterMs: number;
}

export interface ProviderHealth {
  /** Returns why the model must not be called for the account; null if it may. Every call must end with one of the other methods. */
  suspensionOf(model: string, accountId: string): Suspension | null;
  /** Returns whether other providers are to be called before this one, after failures of several accounts. */
  isDoubtful(model: string): boolean;
  succeed(model: string, accountId: string): void;
  fail(model: string, accountId: string): void;
  /** Ends a call that says nothing about the provider. */
  leave(model: string, accountId: string): void;
  /** Suspends the model for the account: the provider limits its rate, for one second if it states no time. */
  coolDown(model: string, accountId: string, retryAfterMs: number | null): void;
  /** Number of models that are suspended for an account, or called last. */
  countSuspended(): number;
}

const FAILURES_OF_ACCOUNT = 5;
/** Accounts without a success between their failures, after which a provider is called last. */
const FAILING_ACCOUNTS = 3;
const SUSPENSION_MS = 10_000;
/** Limit of a Retry-After, which a provider may set to days. */
const MAX_COOL_DOWN_MS = 5 * 60_000;
/** Time without a Retry-After. */
const COOL_DOWN_MS = 1_000;
/** Limit of the accounts of a model with recent failures. The oldest are discarded first. */
const MAX_ACCOUNTS = 10_000;

interface AccountHealth {
  failures: number;
  suspendedUntilMs: number;
  /** Whether one call tests the model after a suspension. */
  isProbed: boolean;
  coolUntilMs: number;
}
interface ModelHealth {
  readonly accounts: Map<string, AccountHealth>;
  /** Accounts with failures since the last success or doubt. */
  readonly failing: Set<string>;
  doubtfulUntilMs: number;
}

/** @param clock monotonic time in milliseconds */
export function createProviderHealth(clock: () => number = () => performance.now()): ProviderHealth {
  // Only models of the catalogue are called, so callers cannot add entries.
  const models = new Map<string, ModelHealth>();

  const accountOf = (model: string, accountId: string): AccountHealth => {
    const known = models.get(model) ?? { accounts: new Map(), failing: new Set(), doubtfulUntilMs: 0 };
    models.set(model, known);
    const { accounts, failing } = known;
    const account = accounts.get(accountId) ?? { failures: 0, suspendedUntilMs: 0, isProbed: false, coolUntilMs: 0 };
    // Moves the account to the end of the order.
    accounts.delete(accountId);
    accounts.set(accountId, account);
    const [oldest] = accounts.keys();
    if (accounts.size > MAX_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
    failing.add(accountId);
    if (failing.size >= FAILING_ACCOUNTS) {
      failing.clear();
      known.doubtfulUntilMs = clock() + SUSPENSION_MS;
    }
    return account;
  };

  return {
    suspensionOf(model, accountId) {
      const account = models.get(model)?.accounts.get(accountId);
      if (!account) return null;
      const { coolUntilMs, suspendedUntilMs, isProbed } = account;
      const now = clock();
      if (coolUntilMs > now) return { cause: "rate_limited", retryAfterMs: Math.ceil(coolUntilMs - now) };
      if (suspendedUntilMs === 0) return null;
      const retryAfterMs = isProbed ? SUSPENSION_MS : Math.ceil(suspendedUntilMs - now);
      if (retryAfterMs > 0) return { cause: "failing", retryAfterMs };
      account.isProbed = true;
      return null;
    },
    isDoubtful(model) {
      return (models.get(model)?.doubtfulUntilMs ?? 0) > clock();
    },
    succeed(model) {
      models.delete(model);
    },
    fail(model, accountId) {
      const account = accountOf(model, accountId);
      account.failures++;
      account.isProbed = false;
      if (account.failures >= FAILURES_OF_ACCOUNT) account.suspendedUntilMs = clock() + SUSPENSION_MS;
    },
    leave(model, accountId) {
      const account = models.get(model)?.accounts.get(accountId);
      if (account) account.isProbed = false;
    },
    coolDown(model, accountId, retryAfterMs) {
      const account = accountOf(model, accountId);
      account.isProbed = false;
      const coolDownMs = Math.min(retryAfterMs ?? COOL_DOWN_MS, MAX_COOL_DOWN_MS);
      account.coolUntilMs = Math.max(account.coolUntilMs, clock() + coolDownMs);
    },
    countSuspended() {
      const now = clock();
      const isSuspended = ({ accounts, doubtfulUntilMs }: ModelHealth) =>
        doubtfulUntilMs > now ||
        [...accounts.values()].some(({ suspendedUntilMs, coolUntilMs }) => suspendedUntilMs > now || coolUntilMs > now);
      return [...models.values()].filter(isSuspended).length;
    },
  };
}
