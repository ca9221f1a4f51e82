/** Where a worker's orders run: in this process, or each in its own (`order-processes.ts`). */
import type { WorkerJob } from "../checkout/worker-protocol/job.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { WorkerConfig } from "./config.ts";
import type { ConnectViewer } from "./live/live-server.ts";

export interface OrderRunner {
  /** Resolves when an order can start at once. Rejects if no browser starts. */
  prepare(): Promise<void>;
  /**
   * Drives a leased order and reports its result. Never rejects.
   * @param onWait called when the order waits for its account owner; the service has recorded the wait
   */
  run(job: WorkerJob, onWait: () => void): Promise<void>;
  /** Connects a viewer to the live view of an order. */
  readonly connectViewer: ConnectViewer;
  /** Ends the orders without a submitted card, and those that start later. */
  stopOrders(): void;
  /** Ends the browsers. Call after the last order has ended. */
  close(): Promise<void>;
}

export type OpenOrderRunner = (parts: {
  readonly config: WorkerConfig;
  readonly token: string;
  readonly logger: Logger;
}) => OrderRunner;
