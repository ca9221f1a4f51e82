import { ServiceError } from "../platform/errors.ts";

/** No provider offers a model with the requested ID. */
export class ModelNotFoundError extends ServiceError {
  readonly code = "model_not_found";
  readonly field = "model";
  constructor(model: string) {
    super(`Model ${model} not found. No payment was made. GET /v1/models lists the available models.`);
  }
}

/** Every provider that offers the model failed. */
export class ProviderFailedError extends ServiceError {
  readonly code = "provider_failed";
  /** ID of the payment that was sent to a provider before it failed; null if none was. */
  readonly transactionId: string | null;
  constructor(message: string, transactionId: string | null = null) {
    super(message);
    this.transactionId = transactionId;
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

/** One provider failed, and the next one is called. Internal to the gateway. */
export class ProviderFault extends Error {
  /** HTTP status of the response; null without a response. */
  readonly status: number | null;
  /** ID of the payment that was sent to the provider and may be charged; null if none was. */
  readonly transactionId: string | null;
  /** Whether the failure counts against the provider. A caller's own request must not open the provider's circuit breaker. */
  get isProviderFailure(): boolean {
    const { status } = this;
    return status === null || status >= 500 || status === 401 || status === 402 || status === 429;
  }
  constructor(message: string, details: { status?: number; transactionId?: string | null; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.status = details.status ?? null;
    this.transactionId = details.transactionId ?? null;
  }
}
