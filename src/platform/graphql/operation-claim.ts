import { createHash } from "node:crypto";
import type { GraphQLSchema } from "graphql";
import type { Variables } from "./compile-operation.ts";
import { identifyOperation } from "./operation-identity.ts";
import type { Operation } from "./operation-store.ts";
import type { GraphqlOptions, GraphqlRequest, GraphqlViewer, OperationClaim } from "./options.ts";
import { findRootField, readArguments } from "./root-field.ts";

/** Ids of at least this length are generated (UUIDs): no second operation has the same. */
const GENERATED_ID_LENGTH = 20;

/** Returns true if no client may send the operation again automatically after a lost connection. */
export function isSingleUse(schema: GraphQLSchema, operation: Operation): boolean {
  return operation.kind === "mutation" || findRootField(schema, operation, "movesMoney") !== null;
}

/**
 * Claims an operation that moves money, if its client sends operations again after a lost connection (`request.repeatId`).
 * Resolves to null if no claim is required. The caller releases the claim once the client has the result. With a generated id
 * it remains, because the result may be lost in the network.
 *
 * @throws the error of `claimOperation` if the operation is claimed already
 */
export async function claimOperation<TContext extends object, TViewer extends GraphqlViewer>(
  options: Pick<GraphqlOptions<TContext, TViewer>, "schema" | "claimOperation">,
  operation: Operation,
  variables: Variables | null | undefined,
  { repeatId, disconnected }: GraphqlRequest<TViewer>,
  context: TContext,
): Promise<OperationClaim | null> {
  if (repeatId === undefined || !options.claimOperation) return null;
  const found = findRootField(options.schema, operation, "movesMoney");
  const args = found && readArguments(options.schema, operation, found, variables);
  if (!args) return null;
  const identity = identifyOperation(repeatId, operation, variables);
  const fingerprint = createHash("sha256").update(identity).digest("base64url");
  const claim = await options.claimOperation(context, fingerprint, args);
  return {
    async release() {
      if (repeatId.length < GENERATED_ID_LENGTH && !disconnected?.().aborted) await claim?.release();
    },
  };
}
