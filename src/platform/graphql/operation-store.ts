import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import { createOperationRunner, type OperationRunner } from "./compile-operation.ts";
import { hardeningRules, limitError } from "./limit-rules.ts";
import type { GraphqlLimits } from "./limits.ts";
import { asDocumentError, requestError } from "./request-errors.ts";

export type Operation = {
  query: string;
  document: DocumentNode;
  definition: OperationDefinitionNode;
  kind: "query" | "mutation" | "subscription";
  operationName: string | undefined;
  /** Runs a query or mutation; for a subscription, the selection on one event (the root value). */
  run: OperationRunner;
};

export type Prepared =
  | { operation: Operation; errors?: never }
  | { errors: readonly GraphQLError[]; operation?: never };

export type OperationStore = { prepare(query: string, operationName: string | null | undefined): Prepared };

export type OperationStoreOptions = {
  schema: GraphQLSchema;
  limits: GraphqlLimits;
  rules: readonly ValidationRule[];
  introspection: boolean;
  suggestions: boolean;
};

type CheckedDocument = { document: DocumentNode; operations: Map<string, Operation> };

/** Total size of cached documents. Rejected documents have their own cache and cannot evict valid ones. */
const MAX_CACHED_CHARACTERS = 16_000_000;
const MAX_CACHED_REFUSALS = 200;

/**
 * Creates a cache of documents that are parsed and validated once, with all limits and rules, for all transports. An operation is
 * interpreted on its first run and compiled on the second.
 */
export function createOperationStore(options: OperationStoreOptions): OperationStore {
  const documents = new LRUCache<string, CheckedDocument>({
    max: 2_000,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_checked, query) => query.length + 1,
  });
  const refusals = new LRUCache<string, readonly GraphQLError[]>({ max: MAX_CACHED_REFUSALS });

  return {
    prepare(query, operationName) {
      let checked = documents.get(query);
      if (!checked) {
        const refused = refusals.get(query);
        if (refused) return { errors: refused };
        const result = checkDocument(options, query);
        if (Array.isArray(result)) {
          refusals.set(query, result);
          return { errors: result };
        }
        checked = { document: result as DocumentNode, operations: new Map() };
        documents.set(query, checked);
      }
      const cached = checked.operations.get(operationName ?? "");
      return cached
        ? { operation: cached }
        : selectOperation(options.schema, query, checked, operationName || undefined);
    },
  };
}

/** Parses and validates a document. Returns the document, or its errors. */
export function checkDocument(options: OperationStoreOptions, query: string): DocumentNode | GraphQLError[] {
  const { schema, limits, suggestions } = options;
  const refuse = (errors: readonly GraphQLError[], code: string) =>
    errors.map((error) => asDocumentError(error, code, suggestions));
  if (Buffer.byteLength(query) > limits.maxDocumentBytes) {
    return refuse([limitError("bytes", null, limits.maxDocumentBytes)], "OPERATION_LIMIT_EXCEEDED");
  }
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: limits.maxTokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const tooLong = error.message.includes("contains more that") || error.message.includes("contains more than");
    if (tooLong) return refuse([limitError("tokens", null, limits.maxTokens)], "OPERATION_LIMIT_EXCEEDED");
    return refuse([error], "GRAPHQL_PARSE_FAILED");
  }
  const { length } = document.definitions;
  if (length > limits.maxDefinitions) {
    return refuse([limitError("definitions", length, limits.maxDefinitions)], "OPERATION_LIMIT_EXCEEDED");
  }
  // The cheap rules run first, because some rules of the specification are quadratic in the spread selections.
  const hardening = validate(schema, document, hardeningRules(limits, options.introspection), { maxErrors: 5 });
  if (hardening.length > 0) return refuse(hardening, "GRAPHQL_VALIDATION_FAILED");
  const errors = validate(schema, document, [...specifiedRules, ...options.rules], { maxErrors: 10 });
  return errors.length > 0 ? refuse(errors, "GRAPHQL_VALIDATION_FAILED") : document;
}

function selectOperation(
  schema: GraphQLSchema,
  query: string,
  checked: CheckedDocument,
  operationName: string | undefined,
): Prepared {
  const definitions = checked.document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const definition =
    operationName === undefined && definitions.length === 1
      ? definitions[0]
      : definitions.find((one) => operationName !== undefined && one.name?.value === operationName);
  if (!definition) {
    const message =
      operationName === undefined
        ? "The document has several operations. Set `operationName`."
        : "The document has no operation named `operationName`.";
    return { errors: [requestError(message, "OPERATION_RESOLUTION_FAILURE", 400, true)] };
  }
  const operation: Operation = {
    query,
    document: checked.document,
    definition,
    kind: definition.operation,
    operationName: definition.name?.value,
    run: createOperationRunner(schema, checked.document, definition.name?.value, 1),
  };
  checked.operations.set(operationName ?? "", operation);
  return { operation };
}
