/** Jobs of the OAuth provider. Its routes are part of the REST layer. */
import { createClientDocuments } from "../../oauth/clients/client-documents.ts";
import { sendReviewEmails } from "../../oauth/clients/notify.ts";
import type { Platform } from "../platform.ts";

/** Applications without a registration by a user bypass the review, so only the sandbox accepts them by default. */
export function createOAuthClientDeps({ db, egress, rateLimiter, logger, config }: Platform) {
  const { SANDBOX, CLIENT_ID_METADATA_DOCUMENTS = SANDBOX, DYNAMIC_CLIENT_REGISTRATION = SANDBOX } = config;
  return {
    clientDocuments: createClientDocuments({
      ...{ db, egress, rateLimiter, logger },
      isEnabled: CLIENT_ID_METADATA_DOCUMENTS,
    }),
    dynamicRegistration: { isEnabled: DYNAMIC_CLIENT_REGISTRATION },
  };
}

/** Interval of the check for emails that were not queued because a node ended after a review. */
const REVIEW_EMAILS_INTERVAL_MS = 60_000;

export async function startOAuthJobs({ jobs }: Platform, deps: Parameters<typeof sendReviewEmails>[0]): Promise<void> {
  await jobs.repeat("send-review-letters", REVIEW_EMAILS_INTERVAL_MS, () => sendReviewEmails(deps));
}
