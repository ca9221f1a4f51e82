/** Jobs of the OAuth provider. Its routes are part of the REST layer. */
import { sendReviewEmails } from "../../oauth/clients/notify.ts";
import { deleteOldAuthorizations } from "../../oauth/delete-expired.ts";
import type { Platform } from "../platform.ts";

const CLEANING_INTERVAL_MS = 600_000;
/** Interval of the check for emails that were not queued because a node ended after a review. */
const REVIEW_EMAILS_INTERVAL_MS = 60_000;

export async function startOAuthJobs(
  { jobs, db }: Platform,
  deps: Parameters<typeof sendReviewEmails>[0],
): Promise<void> {
  await jobs.repeat("delete-old-authorizations", CLEANING_INTERVAL_MS, () => deleteOldAuthorizations(db));
  await jobs.repeat("send-review-letters", REVIEW_EMAILS_INTERVAL_MS, () => sendReviewEmails(deps));
}
