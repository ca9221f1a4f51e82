/** What is still to come of a body that was refused before it was all here. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/** More than any route takes, and little work to drop. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;

/**
 * Takes what is left of a body and drops it, for as long as a request may take to arrive and up to a limit: it stands before the
 * connection's next request, and most clients read no answer before they have sent it.
 */
export function drainRequestBody(request: IncomingMessage): void {
  if (request.complete) return void request.resume();
  let droppedBytes = 0;
  request.on("data", (chunk: Buffer) => {
    droppedBytes += chunk.length;
    if (droppedBytes > MAX_DROPPED_BYTES) request.destroy();
  });
  request.resume();
}

/** Closing the connection on a body that is too large, as fastify does, tells its sender that it broke, and the 413 is lost on the way. */
export function drainRefusedBodies(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode === 413 && !request.raw.complete) {
      reply.removeHeader("connection");
      drainRequestBody(request.raw);
    }
    done(null, payload);
  });
}
