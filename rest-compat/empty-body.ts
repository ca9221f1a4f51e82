import type { FastifyReply, FastifyRequest } from "fastify";

/** Drops the content type of an empty body, so that no parser rejects it as malformed. */
export function dropTypeOfEmptyBody({ headers }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (headers["content-length"] === "0") delete headers["content-type"];
  done();
}
