/** The payload of mutations that delete an object. */
import { builder } from "./builder.ts";
import { type NodeName, toGlobalId } from "./global-id.ts";

/**
 * Adds the success type of a deletion. Resolvers return the own id; clients receive the global id, with which they remove the
 * object from their cache (Relay's `@deleteRecord`).
 */
export function deletedPayload(name: string, type: NodeName, description: string) {
  return builder.objectRef<{ readonly deletedId: string }>(name).implement({
    description,
    fields: (t) => ({
      deletedId: t.id({
        description: "The global id of the deleted object, for removing it from a cache.",
        resolve: ({ deletedId }) => toGlobalId(type, deletedId),
      }),
    }),
  });
}
