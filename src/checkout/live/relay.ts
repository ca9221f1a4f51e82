/** What a worker shows of an order, to one who watches it; and what they do, to the worker. Nothing of it is kept. */
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
  /** Passes on what a person did, if the order waits for that. */
  act(word: InputMessage): void;
  /** Relays until the order has ended or the signal says so. */
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
        // The order itself says when it has ended: its page reads the outcome from there.
        if (word.type === "ended") return forget();
        if (word.type === "paused") {
          isPaused = true;
          // Taken before, and perhaps of what is not to be seen.
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
