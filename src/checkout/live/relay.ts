/** Relay between the worker that drives an order and one viewer: images one way, input the other. Stores nothing. */
import type { Logger } from "../../platform/observability/logger.ts";
import type { OrderDeps } from "../orders/deps.ts";
import type { InputMessage, NeededFor } from "../worker-protocol/live-messages.ts";
import type { ViewerSocket } from "./viewer-socket.ts";
import { whereaboutsOf } from "./worker-location.ts";
import { openWorkerSocket, type WorkerPlace, type WorkerSocket } from "./worker-socket.ts";

export interface RelayDeps extends Pick<OrderDeps, "db" | "pubsub"> {
  readonly logger: Logger;
  readonly workerToken: string;
}

export interface Relay {
  /** Forwards viewer input to the worker if the order is waiting for that kind of input. */
  act(word: InputMessage): void;
  /** Relays until the order ends or the signal aborts. */
  run(order: { readonly id: string; readonly accountId: string }, signal: AbortSignal): Promise<void>;
}

export function createRelay(deps: RelayDeps, viewer: ViewerSocket): Relay {
  let line: WorkerSocket | null = null;
  let neededFor: NeededFor = null;
  let isPaused = false;

  const forget = () => {
    neededFor = null;
    isPaused = false;
    viewer.drop();
  };
  const connect = (place: WorkerPlace) =>
    openWorkerSocket(deps, place, {
      onPicture: (jpeg) => void (isPaused || viewer.show(jpeg)),
      onWord(word) {
        // The order's own status ends the view, because its page reads the outcome from the order.
        if (word.type === "ended") return forget();
        if (word.type === "paused") {
          isPaused = true;
          // Captured before the pause and may show content that must not be seen.
          viewer.drop();
        }
        if (word.type === "resumed") isPaused = false;
        if (word.type === "person-needed") neededFor = word.for;
        viewer.tell(word);
      },
      onLost() {
        forget();
        viewer.tell({ type: "waiting" });
      },
    });

  return {
    act(word) {
      if (neededFor === (word.type === "security-code" ? "security_code" : "three_d_secure")) line?.send(word);
    },
    async run(order, signal) {
      try {
        for await (const at of whereaboutsOf(deps, order, signal)) {
          line?.close();
          line = null;
          forget();
          if (at.kind === "waiting") viewer.tell({ type: "waiting" });
          if (at.kind === "driven") line = connect(at);
          if (at.kind !== "ended") continue;
          viewer.tell({ type: "ended" });
          viewer.close("ended");
        }
      } finally {
        line?.close();
      }
    },
  };
}
