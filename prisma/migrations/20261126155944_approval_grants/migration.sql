-- Approvals of apps belong to the grant, so that a refreshed access token can poll and use them.
UPDATE "checkout_approvals" SET "credential_id" = t."grant_id" FROM "oauth_tokens" t WHERE t."id" = "checkout_approvals"."credential_id";
