import type { FastifyInstance } from "fastify";

/**
 * Batches the responses that become ready in one event loop iteration and writes them at its end. Separate writes would each
 * wake a client process, which then competes with this process for the CPU.
 *
 * Code after a batched response runs in the async context of another request, so a server with tracing must not use this.
 */
export function batchResponseWrites(app: FastifyInstance): void {
  let ready: (() => void)[] = [];
  const writeAll = () => {
    const batch = ready;
    ready = [];
    for (const write of batch) write();
  };
  app.addHook("onSend", (_request, _reply, payload, done) => {
    const write = () => {
      try {
        done(null, payload);
      } catch (error) {
        // An invalid header must fail only its own request.
        done(error as Error);
      }
    };
    if (ready.push(write) === 1) setImmediate(writeAll);
  });
}
