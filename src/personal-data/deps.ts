import type { OwnerEmailDeps } from "../accounts/sign-in/owner-emails.ts";
import type { MandateDeps } from "../checkout/deps.ts";
import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../platform/database/connection.ts";
import type { MailDeps } from "../platform/email/email-queue.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import type { Chains } from "../wallet/chain.ts";
import type { Wallets } from "../wallet/wallets.ts";

export interface PersonalDataSettings {
  /** How long a completed export can be downloaded. */
  readonly exportDays: number;
  /** Time between the request of a deletion and its execution. */
  readonly deletionDelayDays: number;
}

export interface PersonalDataDeps extends OwnerEmailDeps, MailDeps, MandateDeps {
  readonly db: Database;
  readonly keks: KeyEncryptionKeys;
  readonly pubsub: PubSub;
  readonly wallets: Wallets;
  readonly chains: Chains;
  readonly personalData: PersonalDataSettings;
}
