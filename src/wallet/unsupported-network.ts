import { ServiceError } from "../platform/errors.ts";

/** The network is unknown, or this installation is not connected to it. */
export class UnsupportedNetworkError extends ServiceError {
  readonly code = "unsupported_network";
  readonly field: string;
  constructor(name: string, available: readonly string[], field = "network") {
    super(`${field}: ${JSON.stringify(name.slice(0, 60))} is not available here. Available: ${available.join(", ")}.`);
    this.field = field;
  }
}
