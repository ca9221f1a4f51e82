/** Refusals of payments that neither the ledger nor the choice of an offer causes. */
import { ServiceError } from "../platform/errors.ts";

/** X402 payments are not enabled for the account; they are opt-in. */
export class X402NotEnabledError extends ServiceError {
  readonly code = "x402_not_enabled";
  readonly dashboardUrl: string;
  constructor(dashboardUrl: string) {
    super(`X402 payments are disabled for this account. No payment was made. Enable them at ${dashboardUrl}.`);
    this.dashboardUrl = dashboardUrl;
  }
}

/** An earlier permit of this wallet is outstanding. Permit nonces are sequential, so a second permit would void the first. */
export class PermitOutstandingError extends ServiceError {
  readonly code = "permit_outstanding";
  constructor() {
    super(
      "An earlier upto payment of this wallet is outstanding, and only one permit may be. No payment was made. Retry after it settles or expires.",
    );
  }
}
