import type { FastifyReply, FastifyRequest } from "fastify";

/** A body of no bytes is none, whatever type it is said to be of: nothing is read, and nothing is malformed. */
export function dropTypeOfEmptyBody({ headers }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (headers["content-length"] === "0") delete headers["content-type"];
  done();
}
