/** The repeated job of letters that wait: each is tried when its time comes, on whichever node. */
import type { AgentMailDeps } from "../deps.ts";
import { claimDueDelivery, deliver } from "./deliver.ts";

const CONCURRENCY = 5;
/** Well within what a job may take. */
const MAX_RUN_MS = 60_000;

/** Tries all that is due. While the relay is away it asks once or a few times, not once a letter. */
export async function sendDueMail(deps: AgentMailDeps): Promise<void> {
  if (!deps.agentMail.relay.isConfigured) return;
  const untilMs = Date.now() + MAX_RUN_MS;
  let isAway = false;
  const work = async () => {
    while (!isAway && Date.now() < untilMs) {
      const claim = await claimDueDelivery(deps);
      if (!claim) return;
      const outcome = await deliver(deps, claim);
      if (outcome?.kind === "deferred" && outcome.isAway) isAway = true;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
