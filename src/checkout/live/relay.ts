/** Relay between the worker that drives an order and one viewer: images one way, input the other. Stores nothing. */
import type { Logger } from "../../platform/observability/logger.ts";
import type { OrderDeps } from "../orders/deps.ts";
import type { InputMessage, NeededFor } from "../worker-protocol/live-messages.ts";
import type { ViewerSocket } from "./viewer-socket.ts";
import { watchWorkerLocation } from "./worker-location.ts";
import { openWorkerSocket, type WorkerAddress, type WorkerSocket } from "./worker-socket.ts";

export interface RelayDeps extends Pick<OrderDeps, "db" | "pubsub"> {
  readonly logger: Logger;
  readonly workerToken: string;
}

export interface Relay {
  /** Forwards viewer input to the worker if the order is waiting for that kind of input. */
  act(message: InputMessage): void;
  /** Relays until the order ends or the signal aborts. */
  run(order: { readonly id: string; readonly accountId: string }, signal: AbortSignal): Promise<void>;
}

export function createRelay(deps: RelayDeps, viewer: ViewerSocket): Relay {
  let worker: WorkerSocket | null = null;
  let neededFor: NeededFor = null;
  let isPaused = false;

  const reset = () => {
    neededFor = null;
    isPaused = false;
    viewer.drop();
  };
  const connect = (address: WorkerAddress) =>
    openWorkerSocket(deps, address, {
      onImage: (jpeg) => void (isPaused || viewer.show(jpeg)),
      onMessage(message) {
        // The order's own status ends the view, because its page reads the outcome from the order.
        if (message.type === "ended") return reset();
        if (message.type === "paused") {
          isPaused = true;
          // Captured before the pause and may show content that must not be seen.
          viewer.drop();
        }
        if (message.type === "resumed") isPaused = false;
        if (message.type === "person-needed") neededFor = message.for;
        viewer.send(message);
      },
      onLost() {
        reset();
        viewer.send({ type: "waiting" });
      },
    });

  return {
    act(message) {
      if (neededFor === (message.type === "security-code" ? "security_code" : "three_d_secure")) worker?.send(message);
    },
    async run(order, signal) {
      try {
        for await (const at of watchWorkerLocation(deps, order, signal)) {
          worker?.close();
          worker = null;
          reset();
          if (at.kind === "waiting") viewer.send({ type: "waiting" });
          if (at.kind === "driven") worker = connect(at);
          if (at.kind !== "ended") continue;
          viewer.send({ type: "ended" });
          viewer.close("ended");
        }
      } finally {
        worker?.close();
      }
    },
  };
}
