/** The process of one order. It ends with its order and the worker, and the order's card data ends with it. */
import type { Socket } from "node:net";
import { safeReason } from "./evidence/redact.ts";
import { rejectUpgrade } from "./live/reject-upgrade.ts";
import type { OrderCommand, OrderReport } from "./order-messages.ts";
import type { OrderRunner } from "./order-runner.ts";

const ALIVE_INTERVAL_MS = 2_000;

/** Starts the browser, then accepts one order from the worker. */
export async function serveOrder(runner: OrderRunner): Promise<void> {
  // A terminal sends its signals to this process too. The worker decides when the order stops.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("message", (command: OrderCommand, socket?: Socket) => void accept(runner, command, socket));
  setInterval(() => report({ kind: "alive" }), ALIVE_INTERVAL_MS).unref();
  try {
    await runner.prepare();
    report({ kind: "ready" });
  } catch (error) {
    reportAndExit({ kind: "failed", reason: safeReason(error) });
  }
}

async function accept(runner: OrderRunner, command: OrderCommand, socket?: Socket): Promise<void> {
  switch (command.kind) {
    case "run":
      await runner.run(command.job, () => report({ kind: "waiting" }));
      return reportAndExit({ kind: "ended" });
    case "stop":
      return runner.stopOrders();
    case "viewer": {
      // Absent if the viewer has disconnected meanwhile.
      if (!socket) return;
      socket.on("error", () => socket.destroy());
      const { lease, request, headBase64 } = command;
      const head = Buffer.from(headBase64, "base64");
      if (runner.connectViewer(lease, { request, socket, head }) === null) rejectUpgrade(socket, "404 Not Found");
    }
  }
}

function report(message: OrderReport): void {
  // Fails only if the worker has ended. This process then ends too.
  process.send?.(message, undefined, {}, () => {});
}

/** The browser is killed, not closed, since it has nothing to store. */
function reportAndExit(message: OrderReport): void {
  process.send?.(message, undefined, {}, () => process.exit());
}
