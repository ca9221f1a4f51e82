import { createHash } from "node:crypto";
import type { GraphQLSchema } from "graphql";
import type { Variables } from "./compile-operation.ts";
import { identifyOperation } from "./operation-identity.ts";
import type { Operation } from "./operation-store.ts";
import type { GraphqlOptions, GraphqlRequest, GraphqlViewer } from "./options.ts";
import { findRootField, type RootField, readArguments } from "./root-field.ts";
import { findVariableProblems, markInvalidValues } from "./variable-problems.ts";

/** Ids of at least this length are generated (UUIDs): no second operation has the same. */
const GENERATED_ID_LENGTH = 20;

/** Returns true if no client may send the operation again automatically after a lost connection. */
export function isSingleUse(schema: GraphQLSchema, operation: Operation): boolean {
  return operation.kind === "mutation" || findRootField(schema, operation, "movesMoney") !== null;
}

/** The claim of an operation that is executed. Its functions never reject. */
export type ActiveClaim = {
  /** Ends the claim of an operation of which nothing was executed. */
  cancel(): Promise<void>;
  /** Ends the claim once the client has the result, unless the client may send the operation again. */
  complete(): Promise<void>;
};

/**
 * Claims an operation that moves money, if its client sends operations again after a lost connection (`request.repeatId`).
 * Resolves to null if no claim is required. With a generated id the claim remains after the result, which may be lost in the
 * network.
 *
 * @throws the error of `claimOperation` if the operation is claimed already
 */
export async function claimOperation<TContext extends object, TViewer extends GraphqlViewer>(
  options: Pick<GraphqlOptions<TContext, TViewer>, "schema" | "claimOperation">,
  operation: Operation,
  variables: Variables | null | undefined,
  { repeatId, disconnected }: GraphqlRequest<TViewer>,
  context: TContext,
): Promise<ActiveClaim | null> {
  if (repeatId === undefined || !options.claimOperation) return null;
  const found = findRootField(options.schema, operation, "movesMoney");
  if (!found) return null;
  const args = readClaimedArguments(options.schema, operation, found, variables ?? {});
  const identity = identifyOperation(repeatId, operation, variables);
  const fingerprint = createHash("sha256").update(identity).digest("base64url");
  const claim = await options.claimOperation(context, fingerprint, args);
  if (!claim) return null;
  const isRepeatable = () => repeatId.length >= GENERATED_ID_LENGTH || disconnected?.().aborted === true;
  return {
    cancel: () => claim.release(),
    async complete() {
      if (!claim.canRemain || !isRepeatable()) await claim.release();
    },
  };
}

/**
 * Returns the arguments of the field, or none if they are invalid. The field may run although a variable is invalid, if only
 * another field uses it.
 */
function readClaimedArguments(
  schema: GraphQLSchema,
  operation: Operation,
  found: RootField,
  variables: Variables,
): Readonly<Record<string, unknown>> {
  const args = readArguments(schema, operation, found, variables);
  if (args) return args;
  const problems = findVariableProblems(schema, operation, variables, false);
  const marked = markInvalidValues(schema, operation, variables, problems);
  return (marked && readArguments(schema, operation, found, marked)) ?? {};
}
