/** Messages between a worker and the process of one of its orders. Neither side sends card data. */
import type { WorkerJob } from "../checkout/worker-protocol/job.ts";

/** From the worker. */
export type OrderCommand =
  | { readonly kind: "run"; readonly job: WorkerJob }
  /** Ends the order unless the card was submitted. */
  | { readonly kind: "stop" }
  /** With the socket of the viewer. */
  | { readonly kind: "viewer"; readonly lease: string; readonly request: UpgradeRequest; readonly headBase64: string };

/** From the order's process. */
export type OrderReport =
  /** The browser runs, and the process accepts its order. */
  | { readonly kind: "ready" }
  /** No browser started. The process ends. */
  | { readonly kind: "failed"; readonly reason: string }
  /** Sent every few seconds while the process responds. */
  | { readonly kind: "alive" }
  /** The order waits for its account owner. */
  | { readonly kind: "waiting" }
  /** The result is reported. The process ends. */
  | { readonly kind: "ended" };

/** The parts of an HTTP request that a WebSocket handshake reads (RFC 6455, section 4.2.1). */
export interface UpgradeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
