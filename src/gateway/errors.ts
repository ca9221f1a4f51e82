import { ServiceError } from "../platform/errors.ts";

/** No provider offers a model of that id. */
export class ModelNotFoundError extends ServiceError {
  readonly code = "model_not_found";
  readonly field = "model";
  constructor(model: string) {
    super(`There is no model ${model}. GET /v1/models lists those there are. No money moved.`);
  }
}

/** Every provider that offers the model failed. */
export class ProviderFailedError extends ServiceError {
  readonly code = "provider_failed";
  /** The payment that a provider was sent before it failed; null when none was. */
  readonly transactionId: string | null;
  constructor(message: string, transactionId: string | null = null) {
    super(message);
    this.transactionId = transactionId;
  }
}

/** The provider found fault with the request itself; another one would too. */
export class ProviderRefusedError extends ServiceError {
  readonly code = "provider_refused";
  /** The provider's HTTP status: 400 to 499. */
  readonly status: number;
  /** What it said, as OpenAI writes errors. */
  readonly providerError: object;
  readonly transactionId: string | null;
  constructor(status: number, providerError: { readonly message?: unknown }, transactionId: string | null) {
    super(String(providerError.message ?? "The provider refused the request.").slice(0, 1_000));
    this.status = status;
    this.providerError = providerError;
    this.transactionId = transactionId;
  }
}

/** One provider failed: the next one is asked. Never leaves the gateway. */
export class ProviderFault extends Error {
  /** Of its answer; null when there was none. */
  readonly status: number | null;
  /** The payment it was sent, which it may have taken. */
  readonly transactionId: string | null;
  /** Whether it says something of the provider, and not of this one request: by that nobody makes a provider look broken. */
  get isProviders(): boolean {
    const { status } = this;
    return status === null || status >= 500 || status === 401 || status === 402 || status === 429;
  }
  constructor(message: string, details: { status?: number; transactionId?: string | null; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.status = details.status ?? null;
    this.transactionId = details.transactionId ?? null;
  }
}
