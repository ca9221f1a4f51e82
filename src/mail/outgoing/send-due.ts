/** Recurring job that retries queued emails when they are due, on any node. */
import type { AgentMailDeps } from "../deps.ts";
import { claimDueDelivery, type DeliveryClaim, deliver } from "./deliver.ts";

const CONCURRENCY = 5;
/** Well below the job timeout. */
const MAX_RUN_MS = 60_000;

/** Tries all emails that are due. Stops after the first attempts that find the relay unavailable. */
export async function sendDueMail(deps: AgentMailDeps): Promise<void> {
  if (!deps.agentMail.relay.isConfigured) return;
  const untilMs = Date.now() + MAX_RUN_MS;
  let isRelayUnavailable = false;
  const claimNext = async () => (isRelayUnavailable || Date.now() >= untilMs ? null : await claimDueDelivery(deps));
  const work = async (claim: DeliveryClaim | null) => {
    for (let next = claim; next; next = await claimNext()) {
      const outcome = await deliver(deps, next);
      if (outcome?.kind === "deferred" && outcome.isUnavailable) isRelayUnavailable = true;
    }
  };
  // Usually nothing is due, so one query decides before the other workers start.
  const first = await claimNext();
  if (!first) return;
  const others = Array.from({ length: CONCURRENCY - 1 }, async () => work(await claimNext()));
  await Promise.all([work(first), ...others]);
}
