import { InvalidRequestError } from "../src/platform/errors.ts";

/** The types that have a global id. */
const NODES = ["Account", "ApiToken", "OAuthClient", "Transaction"];

/**
 * Reads a global id: base64 of `<type>:<id>`.
 * @throws {InvalidRequestError} when it is none of this service's.
 */
export function readGlobalId(globalId: string): { typename: string; id: string } {
  const [, typename, id] = /^(\w{1,40}):([\w-]{1,80})$/.exec(Buffer.from(globalId, "base64").toString("latin1")) ?? [];
  if (!typename || !id || !NODES.includes(typename)) {
    throw new InvalidRequestError("id is not a global id of this service.", "id");
  }
  return { typename, id };
}
