import { ServiceError } from "../platform/errors.ts";

/** No provider offers a model with the requested ID. */
export class ModelNotFoundError extends ServiceError {
  readonly code = "model_not_found";
  readonly field = "model";
  /** @param reason why the provider does not have a model that it lists */
  constructor(model: string, reason: string | null = null) {
    const why = reason === null ? "" : ` The provider states: ${reason}`;
    super(`Model ${model} not found.${why} No payment was made. GET /v1/models lists the available models.`);
  }
}

interface FailureDetails {
  readonly transactionId?: string | null;
  readonly retryAfterMs?: number | null;
}

/** Every provider that offers the model failed. */
export class ProviderFailedError extends ServiceError {
  readonly code = "provider_failed";
  /** ID of the payment that was sent to a provider before it failed; null if none was. */
  readonly transactionId: string | null;
  /** When the provider accepts calls again; null if unknown. */
  readonly retryAfterMs: number | null;
  constructor(message: string, { transactionId = null, retryAfterMs = null }: FailureDetails = {}) {
    super(message);
    this.transactionId = transactionId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The provider rejected the request itself; other providers would reject it too. */
export class ProviderRefusedError extends ServiceError {
  readonly code = "provider_refused";
  /** The provider's HTTP status: 400 to 499. */
  readonly status: number;
  /** The provider's error in OpenAI's format. */
  readonly providerError: object;
  readonly transactionId: string | null;
  constructor(status: number, providerError: { readonly message?: unknown }, transactionId: string | null) {
    super(String(providerError.message ?? "The provider rejected the request.").slice(0, 1_000));
    this.status = status;
    this.providerError = providerError;
    this.transactionId = transactionId;
  }
}

interface ProviderFaultDetails {
  readonly status?: number | null;
  readonly transactionId?: string | null;
  readonly reason?: string | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** One provider failed, and the next one is called. Internal to the gateway. */
export class ProviderFault extends Error {
  /** HTTP status of the response; null without a response. */
  readonly status: number | null;
  /** ID of the payment that was sent to the provider and may be charged; null if none was. */
  readonly transactionId: string | null;
  /** Private, so that it is not logged: it may repeat the prompt. */
  readonly #reason: string | null;
  /** When the provider accepts calls again; null if it does not say. */
  readonly retryAfterMs: number | null;
  /** The provider's reason, for the caller; null if it states none. */
  get reason(): string | null {
    return this.#reason;
  }
  /** Whether the failure counts against the health of the provider. A caller's own request must not. */
  get isProviderFailure(): boolean {
    const { status } = this;
    return status === null || status >= 500 || status === 401 || status === 402;
  }
  constructor(message: string, details: ProviderFaultDetails = {}) {
    super(message, { cause: details.cause });
    this.status = details.status ?? null;
    this.transactionId = details.transactionId ?? null;
    this.#reason = details.reason ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}
