/** Draining of request bodies that were rejected before they were complete. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/** More than any route accepts, and cheap to discard. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;

/**
 * Reads and discards the rest of a body, up to a limit and the server's request timeout. The body precedes the connection's next
 * request, and most clients read no response before they have sent it.
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

/**
 * Drains bodies rejected with 413. Fastify closes the connection instead: the client then sees a broken connection and no
 * 413.
 */
export function drainRefusedBodies(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode === 413 && !request.raw.complete) {
      reply.removeHeader("connection");
      drainRequestBody(request.raw);
    }
    done(null, payload);
  });
}
