/** What is still to come of a body that was refused before it was all here. */
import type { FastifyInstance } from "fastify";

/** More than any route takes, and little work to drop. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;

/**
 * Most clients read no answer before they have sent their body. Closing the connection on them, as fastify does, tells them
 * that it broke, and the 413 is lost on the way: so the rest is taken and dropped, for as long as a request may take to
 * arrive and up to a limit.
 */
export function dropRestOfRefusedBodies(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode === 413 && !request.raw.complete) {
      reply.removeHeader("connection");
      let droppedBytes = 0;
      request.raw.on("data", (chunk: Buffer) => {
        droppedBytes += chunk.length;
        if (droppedBytes > MAX_DROPPED_BYTES) request.raw.destroy();
      });
    }
    done(null, payload);
  });
}
