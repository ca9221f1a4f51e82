import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { createShutdown } from "../../src/app/shutdown.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";

function start(timeoutMs = 5_000) {
  const signals = new EventEmitter();
  const exit = vi.fn<(code: number) => void>();
  const lines: string[] = [];
  const logger = createLogger("info", { write: (line) => void lines.push(line) });
  return { shutdown: createShutdown({ logger, timeoutMs, exit, signals }), signals, exit, lines };
}

test.each(["SIGTERM", "SIGINT"])("runs the steps in order and exits with 0 on %s", async (signal) => {
  const { shutdown, signals, exit } = start();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  shutdown.addStep("first", async () => {
    await first.promise;
    done.push("first");
  });
  shutdown.addStep("second", () => done.push("second"));
  expect(shutdown.isStopping).toBe(false);
  signals.emit(signal);
  expect(shutdown.isStopping).toBe(true);
  first.resolve();
  await vi.waitFor(() => expect(exit).toHaveBeenCalled(), { timeout: 20_000 });
  expect(done).toEqual(["first", "second"]);
  expect(exit.mock.calls).toEqual([[0]]);
});

test("logs a failed step, runs the other steps and exits with 1", async () => {
  const { shutdown, exit, lines } = start();
  const second = vi.fn();
  shutdown.addStep("queue", () => Promise.reject(new Error("no")));
  shutdown.addStep("database", second);
  await shutdown.stop("test");
  expect(second).toHaveBeenCalledOnce();
  expect(exit.mock.calls).toEqual([[1]]);
  expect(lines.find((line) => line.includes('"step":"queue"'))).toContain('"level":"error"');
});

test("runs the steps without logging and exits with 1 after a failed start", async () => {
  const { shutdown, exit, lines } = start();
  const close = vi.fn();
  shutdown.addStep("database", close);
  await shutdown.abandonStart();
  expect(close).toHaveBeenCalledOnce();
  expect(exit.mock.calls).toEqual([[1]]);
  expect(lines).toEqual([]);
});

test("abandons a step that exceeds the time limit", async () => {
  const { shutdown, exit, lines } = start(20);
  shutdown.addStep("http", () => new Promise(() => {}));
  await shutdown.stop("test");
  expect(exit.mock.calls).toEqual([[1]]);
  expect(lines.join("")).toContain('"step":"http"');
});

test("ends the process on a second signal, but ignores a forwarded duplicate of the first", () => {
  const { shutdown, signals, exit } = start();
  shutdown.addStep("http", () => new Promise(() => {}));
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  signals.emit("SIGINT");
  vi.advanceTimersByTime(50);
  signals.emit("SIGINT");
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  signals.emit("SIGINT");
  expect(exit.mock.calls).toEqual([[130]]);
});
