/** Jobs of the OAuth provider. Its routes are part of the REST layer. */
import { sendReviewEmails } from "../../oauth/clients/notify.ts";
import type { Platform } from "../platform.ts";

/** Interval of the check for emails that were not queued because a node ended after a review. */
const REVIEW_EMAILS_INTERVAL_MS = 60_000;

export async function startOAuthJobs({ jobs }: Platform, deps: Parameters<typeof sendReviewEmails>[0]): Promise<void> {
  await jobs.repeat("send-review-letters", REVIEW_EMAILS_INTERVAL_MS, () => sendReviewEmails(deps));
}
