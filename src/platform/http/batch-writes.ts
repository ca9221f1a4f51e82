import type { FastifyInstance } from "fastify";

/**
 * Writes the answers that are ready in one turn of the event loop at its end, one right after the other. Written as each is ready,
 * every one would wake a client that has gone to sleep since the last, and each waking takes the processor from this process.
 * What follows an answer then runs as part of another request's: not for hosts that trace theirs.
 */
export function batchResponseWrites(app: FastifyInstance): void {
  let ready: (() => void)[] = [];
  const writeAll = () => {
    const answers = ready;
    ready = [];
    for (const write of answers) write();
  };
  app.addHook("onSend", (_request, _reply, payload, done) => {
    const write = () => {
      try {
        done(null, payload);
      } catch (error) {
        // A header that cannot be written: this request's failure, and no other's.
        done(error as Error);
      }
    };
    if (ready.push(write) === 1) setImmediate(writeAll);
  });
}
