/** Dependencies of the payment use cases. `src/app/domains.ts` builds one object that satisfies them all. */
import type { Database } from "../platform/database/connection.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import type { RateLimiter } from "../platform/rate-limit.ts";
import type { AttemptLeases } from "../wallet/attempts.ts";
import type { Chains } from "../wallet/chain.ts";
import type { NetworkName } from "../wallet/networks.ts";
import type { Vault } from "../wallet/vault.ts";
import type { Wallets } from "../wallet/wallets.ts";
import type { FacilitatorSigners } from "./facilitator-signers.ts";
import type { Reconciler } from "./reconciler.ts";
import type { Recorder } from "./recorder.ts";
import type { RevocationFeeLimits } from "./revocation-fees.ts";

export interface PaymentDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly wallets: Wallets;
  readonly chains: Chains;
  readonly egress: Egress;
  readonly recorder: Recorder;
  readonly reconciler: Reconciler;
  readonly attempts: AttemptLeases;
  readonly pubsub: PubSub;
  readonly logger: Logger;
  readonly rateLimiter: RateLimiter;
  readonly facilitatorSigners: FacilitatorSigners;
  readonly settings: PaymentSettings;
}

export interface PaymentSettings {
  readonly defaultNetwork: NetworkName;
  readonly dashboardUrl: string;
  readonly freeCreditMicroUsd: bigint;
  /** Hosts and recipients that free credit may pay; empty: any. */
  readonly creditHosts: readonly string[];
  readonly creditPayees: readonly string[];
  /** Addresses of the facilitator signers allowed as the spender of an `upto` permit. */
  readonly uptoSpenders: readonly string[];
  /** Network fees in wei that the treasury pays for revocations of permits, in a UTC day and on each network. */
  readonly revocationFees: RevocationFeeLimits;
  /** Networks without a public block explorer, such as those of a sandbox. */
  readonly unexploredNetworks: readonly string[];
}
