/** The repeated job of letters that wait: each is tried when its time comes, on whichever node. */
import type { AgentMailDeps } from "../deps.ts";
import { type Claim, claimDueDelivery, deliver } from "./deliver.ts";

const CONCURRENCY = 5;
/** Well within what a job may take. */
const MAX_RUN_MS = 60_000;

/** Tries all that is due. While the relay is away it asks once or a few times, not once a letter. */
export async function sendDueMail(deps: AgentMailDeps): Promise<void> {
  if (!deps.agentMail.relay.isConfigured) return;
  const untilMs = Date.now() + MAX_RUN_MS;
  let isAway = false;
  const claimNext = async () => (isAway || Date.now() >= untilMs ? null : await claimDueDelivery(deps));
  const work = async (claim: Claim | null) => {
    for (let next = claim; next; next = await claimNext()) {
      const outcome = await deliver(deps, next);
      if (outcome?.kind === "deferred" && outcome.isAway) isAway = true;
    }
  };
  // Mostly nothing is due, which is asked once.
  const first = await claimNext();
  if (!first) return;
  const others = Array.from({ length: CONCURRENCY - 1 }, async () => work(await claimNext()));
  await Promise.all([work(first), ...others]);
}
