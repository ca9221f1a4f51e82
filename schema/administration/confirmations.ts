/** The use case that performs each act that requires two administrators, by its action. */
import { z } from "zod";
import { endAccountSessions } from "../../src/accounts/administration/end-sessions.ts";
import { RecoveryPendingError, startRecovery } from "../../src/accounts/administration/recovery.ts";
import { REVOCABLE_KINDS, revokeAccountCredentials } from "../../src/accounts/administration/revoke-credentials.ts";
import { unfreezeAccount } from "../../src/accounts/freeze/freeze-account.ts";
import { unfreezeService } from "../../src/accounts/freeze/freeze-service.ts";
import type { Viewer } from "../../src/accounts/viewer.ts";
import { MerchantChangedError, vetMerchant } from "../../src/checkout/merchants/vet-merchant.ts";
import { ClientChangedError, reviewClient } from "../../src/oauth/clients/review-client.ts";
import { DECISIONS, InvalidTransitionError } from "../../src/oauth/clients/status.ts";
import type { TwoPersonAct } from "../../src/platform/config/two-person-acts.ts";
import { MailFailedError, MailNotConfiguredError } from "../../src/platform/email/mailer.ts";
import type { SchemaDeps } from "../context.ts";

type Confirm = (deps: SchemaDeps, viewer: Viewer | null, stored: unknown) => Promise<unknown>;

const time = z.string().transform((text) => new Date(text));
const confirmed = { proposalId: z.string() };
const review = z.object({
  ...{ clientId: z.string(), decision: z.enum(DECISIONS), ifUpdatedAt: time, reason: z.string().nullable() },
  ...confirmed,
});
const vetting = z.object({ catalogueId: z.string(), ifReadAt: time, reason: z.string().nullable(), ...confirmed });
const serviceAct = z.object({ reason: z.string(), ...confirmed });
const account = serviceAct.extend({ accountId: z.string() });
const frozen = { ifFrozenAt: time };
const credentials = account.extend({ kinds: z.array(z.enum(REVOCABLE_KINDS)) });
const recovery = account.extend({ email: z.string() });

const confirmReview: Confirm = (deps, viewer, stored) => reviewClient(deps, viewer, review.parse(stored));

export const CONFIRMATIONS: Readonly<Record<TwoPersonAct, Confirm>> = {
  "oauth_clients.approve": confirmReview,
  "oauth_clients.reject": confirmReview,
  "oauth_clients.revoke": confirmReview,
  "merchants.vet": (deps, viewer, stored) => vetMerchant(deps, viewer, vetting.parse(stored)),
  "accounts.end_sessions": (deps, viewer, stored) => endAccountSessions(deps, viewer, account.parse(stored)),
  "accounts.revoke_credentials": (deps, viewer, stored) =>
    revokeAccountCredentials(deps, viewer, credentials.parse(stored)),
  "accounts.start_recovery": (deps, viewer, stored) => startRecovery(deps, viewer, recovery.parse(stored)),
  "accounts.unfreeze": (deps, viewer, stored) => unfreezeAccount(deps, viewer, account.extend(frozen).parse(stored)),
  "service.unfreeze": (deps, viewer, stored) => unfreezeService(deps, viewer, serviceAct.extend(frozen).parse(stored)),
};

/** Errors of these use cases beside those common to all acts. */
export const CONFIRMATION_ERRORS = [
  ...[InvalidTransitionError, ClientChangedError, MerchantChangedError, RecoveryPendingError],
  ...[MailNotConfiguredError, MailFailedError],
];
