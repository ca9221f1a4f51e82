/** Recurring job that retries queued emails when they are due, on any node. */
import type { AgentMailDeps } from "../deps.ts";
import { claimDueDelivery, type DeliveryClaim, deliver, findAccountsWithDueMail } from "./deliver.ts";

const CONCURRENCY = 5;
/** Minimum number of claims that follow one search for accounts, shared among the accounts. */
const MIN_CLAIMS = 4 * CONCURRENCY;
const MAX_SEARCHES = 3;
/** Well below the job timeout. */
const MAX_RUN_MS = 60_000;

/** Tries all emails that are due, one of each account in turn. Stops after the first attempts that find the relay unavailable. */
export async function sendDueMail(deps: AgentMailDeps): Promise<void> {
  if (!deps.agentMail.relay.isConfigured) return;
  const untilMs = Date.now() + MAX_RUN_MS;
  let isRelayUnavailable = false;
  let accounts: readonly string[] = [];
  let isAnyDue = true;
  let search: Promise<void> | null = null;
  const findAccounts = async () => {
    const found = await findAccountsWithDueMail(deps);
    isAnyDue = found.length > 0;
    // Few accounts may have many emails, for which all workers are free.
    accounts = Array.from({ length: Math.ceil(MIN_CLAIMS / Math.max(found.length, 1)) }, () => found).flat();
    search = null;
  };
  const claimNext = async () => {
    // Other nodes may claim the emails of the accounts that were found, so the number of searches is limited.
    for (let searches = 0; !isRelayUnavailable && Date.now() < untilMs; ) {
      const [accountId] = accounts;
      if (accountId === undefined) {
        if (!isAnyDue || searches++ === MAX_SEARCHES) return null;
        search ??= findAccounts();
        await search;
        continue;
      }
      accounts = accounts.slice(1);
      const claim = await claimDueDelivery(deps, accountId);
      if (claim) return claim;
    }
    return null;
  };
  const work = async (claim: DeliveryClaim | null) => {
    for (let next = claim; next; next = await claimNext()) {
      if ((await deliver(deps, next))?.isRelayUnavailable) isRelayUnavailable = true;
    }
  };
  // Usually nothing is due, so one query decides before the other workers start.
  const first = await claimNext();
  if (!first) return;
  const others = Array.from({ length: CONCURRENCY - 1 }, async () => work(await claimNext()));
  await Promise.all([work(first), ...others]);
}
