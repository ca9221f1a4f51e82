import type { FastifyReply, FastifyRequest } from "fastify";

/** Clients name a type for bodies that they do not send: without one nothing is read, and nothing is malformed. */
export function dropTypeOfNoBody({ headers }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const length = headers["content-length"] ?? "0";
  if (length === "0" && headers["transfer-encoding"] === undefined) delete headers["content-type"];
  done();
}
