/** Waits for an agent's onboarding: its registration, the link of its wallet, and its first credentials. */
import { SubscriptionInterruptedError } from "../platform/pubsub/subscribers.ts";
import { agentChannel } from "./agent-events.ts";
import type { AgentDeps } from "./deps.ts";

/** Upper limit of a wait, below the usual time-out of HTTP clients. */
export const MAX_ONBOARDING_WAIT_MS = 10_000;

type OnboardingDeps = Pick<AgentDeps, "db" | "pubsub" | "agents">;

/**
 * Resolves when the account's agent has its first delegation credential. Otherwise it resolves if there is no agent, if a step failed,
 * or after `waitMs`.
 * @param waitMs 0 to {@link MAX_ONBOARDING_WAIT_MS}
 */
export async function awaitOnboarding(deps: OnboardingDeps, accountId: string, waitMs: number): Promise<void> {
  if (waitMs === 0) return;
  await deps.agents.creations.get(accountId);
  // Subscribed before the first read, so no change is missed.
  const changes = deps.pubsub.subscribe(agentChannel(accountId));
  const timer = setTimeout(() => void changes.return?.(), waitMs);
  try {
    while (await isOnboarding(deps, accountId)) {
      if ((await changes.next()).done) return;
    }
  } catch (error) {
    // Later changes may be lost, so the caller reads the current state.
    if (!(error instanceof SubscriptionInterruptedError)) throw error;
  } finally {
    clearTimeout(timer);
    await changes.return?.();
  }
}

async function isOnboarding({ db }: OnboardingDeps, accountId: string): Promise<boolean> {
  const count = await db.prisma.agent.count({
    where: {
      accountId,
      status: { not: "revoked" },
      failureReason: null,
      OR: [{ nextCheckAt: { not: null } }, { credentialsDueAt: { not: null } }],
      credentials: { none: { kind: "delegation" } },
    },
  });
  return count > 0;
}
