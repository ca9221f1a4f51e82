/** Message channel of a benchmark process to its parent. */
import type { ChildMessage } from "./child.ts";

type Handlers = Readonly<Record<string, (input: never) => unknown>>;

interface ParentRequest {
  readonly id: number;
  readonly question: string;
  readonly input: unknown;
}

/** Sends `hello` to the parent, replies to its requests, and exits when the parent disconnects. Calls `close` before the exit. */
export function serveParent(
  hello: unknown,
  { handlers = {}, close = async () => {} }: { handlers?: Handlers; close?: () => Promise<void> } = {},
): void {
  const allHandlers: Handlers = { ...handlers, cpuMicros };
  process.on("message", async ({ id, question, input }: ParentRequest) => {
    try {
      send({ id, answer: await allHandlers[question]?.(input as never) });
    } catch (error) {
      send({ id, error: String((error as Error).message) });
    }
  });
  process.once("disconnect", () => {
    close().finally(() => process.exit(0));
  });
  // Ctrl-C reaches the whole process group. This process exits only when the parent disconnects.
  process.on("SIGINT", () => {});
  send({ id: 0, answer: hello });
}

function send(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
