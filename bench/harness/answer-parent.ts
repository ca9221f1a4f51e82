/** Processes of a bench: the child's end. */
import type { ChildMessage } from "./child.ts";

type Handlers = Readonly<Record<string, (input: never) => unknown>>;

interface Question {
  readonly id: number;
  readonly question: string;
  readonly input: unknown;
}

/** Greets the parent, answers its questions, and leaves (after `close`) when it has gone. */
export function answerParent(
  hello: unknown,
  { handlers = {}, close = async () => {} }: { handlers?: Handlers; close?: () => Promise<void> } = {},
): void {
  const known: Handlers = { ...handlers, cpuMicros };
  process.on("message", async ({ id, question, input }: Question) => {
    try {
      tell({ id, answer: await known[question]?.(input as never) });
    } catch (error) {
      tell({ id, error: String((error as Error).message) });
    }
  });
  process.once("disconnect", () => {
    close().finally(() => process.exit(0));
  });
  // Ctrl-C reaches the whole group: the parent decides when this process ends.
  process.on("SIGINT", () => {});
  tell({ id: 0, answer: hello });
}

function tell(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
