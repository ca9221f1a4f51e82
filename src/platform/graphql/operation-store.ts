import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoFragmentCyclesRule,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  specifiedRules,
  type ValidationRule,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import { createOperationRunner, type OperationRunner } from "./compile-operation.ts";
import { hardeningRules, limitError } from "./limit-rules.ts";
import type { GraphqlLimits } from "./limits.ts";
import { InvalidLiteralsRule } from "./literal-rule.ts";
import { createPersistedDocuments, hashDocument } from "./persisted-documents.ts";
import { asDocumentError, requestError } from "./request-errors.ts";
import type { RequestParams } from "./request-params.ts";
import { checkTokens } from "./token-limits.ts";

export type Operation = {
  query: string;
  document: DocumentNode;
  definition: OperationDefinitionNode;
  kind: "query" | "mutation" | "subscription";
  operationName: string | undefined;
  /** Kind and root fields, such as `mutation:createApiToken`, for logs. It contains names of the schema only. */
  label: string;
  /** Runs a query or mutation; for a subscription, the selection on one event (the root value). */
  run: OperationRunner;
};

export type Prepared =
  | { operation: Operation; errors?: never }
  | { errors: readonly GraphQLError[]; operation?: never };

export type OperationStore = {
  /** Returns the operation, or the errors of the request. Never throws. */
  prepare(params: Pick<RequestParams, "query" | "sha256Hash" | "operationName">): Prepared;
};

export type OperationStoreOptions = {
  schema: GraphQLSchema;
  limits: GraphqlLimits;
  rules: readonly ValidationRule[];
  introspection: boolean;
  suggestions: boolean;
  /** Called with each exception of a library while it parses or validates a document. */
  onUnexpectedError?: ((error: unknown, source: string) => void) | undefined;
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
  const persisted = createPersistedDocuments();

  const check = (query: string): CheckedDocument | readonly GraphQLError[] => {
    const cached = documents.get(query) ?? refusals.get(query);
    if (cached) return cached;
    const result = checkDocument(options, query);
    if (Array.isArray(result)) {
      refusals.set(query, result);
      return result;
    }
    const checked = { document: result as DocumentNode, operations: new Map() };
    documents.set(query, checked);
    return checked;
  };

  return {
    prepare({ query: given, sha256Hash, operationName }) {
      const query = given ?? persisted.find(sha256Hash ?? "");
      if (query === undefined) return { errors: [persistedQueryNotFound()] };
      const isNew = given !== null && sha256Hash !== null;
      // An oversized document is neither hashed nor cached.
      const error = checkSize(options, query) ?? (isNew ? checkHash(query, sha256Hash) : null);
      if (error) return { errors: [error] };
      const checked = check(query);
      if (!("operations" in checked)) return { errors: checked };
      if (isNew) persisted.register(sha256Hash, query);
      const cached = checked.operations.get(operationName ?? "");
      return cached
        ? { operation: cached }
        : selectOperation(options.schema, query, checked, operationName || undefined);
    },
  };
}

/** The message and the code by which Apollo Client recognises that it has to send the document. */
function persistedQueryNotFound(): GraphQLError {
  return requestError("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND", 400, true);
}

function checkHash(query: string, sha256Hash: string): GraphQLError | null {
  if (hashDocument(query) === sha256Hash) return null;
  return requestError("`sha256Hash` is not the SHA-256 of `query`. Nothing was executed.", "BAD_REQUEST");
}

function checkSize({ limits, suggestions }: OperationStoreOptions, query: string): GraphQLError | null {
  // A UTF-16 code unit has at most three bytes in UTF-8.
  if (query.length * 3 <= limits.maxDocumentBytes || Buffer.byteLength(query) <= limits.maxDocumentBytes) return null;
  return asDocumentError(limitError("bytes", null, limits.maxDocumentBytes), "OPERATION_LIMIT_EXCEEDED", suggestions);
}

/** Parses and validates a document. Returns the document, or its errors. */
function checkDocument(options: OperationStoreOptions, query: string): DocumentNode | readonly GraphQLError[] {
  const { schema, limits, suggestions } = options;
  const refuse = (errors: readonly GraphQLError[], code: string) =>
    withoutRepetitions(errors).map((error) => asDocumentError(error, code, suggestions));
  const tokenError = checkTokens(query, limits);
  if (tokenError) return refuse([tokenError], "OPERATION_LIMIT_EXCEEDED");
  let code = "GRAPHQL_PARSE_FAILED";
  try {
    const document = parse(query);
    code = "GRAPHQL_VALIDATION_FAILED";
    const { length } = document.definitions;
    if (length > limits.maxDefinitions) {
      return refuse([limitError("definitions", length, limits.maxDefinitions)], "OPERATION_LIMIT_EXCEEDED");
    }
    // The other rules would count a cycle as an excess. A document can have many cycles, so only the first is an error.
    const [cycle] = validate(schema, document, [NoFragmentCyclesRule]);
    if (cycle) return refuse([cycle], code);
    // The cheap rules run first, because some rules of the specification are quadratic in the spread selections.
    const hardening = validate(schema, document, hardeningRules(limits, options.introspection), { maxErrors: 5 });
    if (hardening.length > 0) return refuse(hardening, code);
    const errors = validate(schema, document, [...specifiedRules, InvalidLiteralsRule, ...options.rules], {
      maxErrors: 10,
    });
    return errors.length > 0 ? refuse(errors, code) : document;
  } catch (error) {
    if (error instanceof GraphQLError) return refuse([error], code);
    options.onUnexpectedError?.(error, "document");
    return refuse([new GraphQLError("The document could not be validated. Nothing was executed.")], code);
  }
}

function withoutRepetitions(errors: readonly GraphQLError[]): GraphQLError[] {
  const distinct = new Map(errors.map((error) => [JSON.stringify([error.message, error.locations]), error]));
  return [...distinct.values()];
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
    label: `${definition.operation}:${listRootFields(checked.document, definition).join()}`,
    run: createOperationRunner(schema, checked.document, definition.name?.value, 1),
  };
  checked.operations.set(operationName ?? "", operation);
  return { operation };
}

const MAX_LABEL_FIELDS = 5;

/** Returns the names of the first root fields, also within fragments. The document is valid. */
function listRootFields(document: DocumentNode, { selectionSet }: OperationDefinitionNode): readonly string[] {
  const names = new Set<string>();
  const collect = (selections: readonly SelectionNode[]) => {
    for (const node of selections) {
      if (names.size === MAX_LABEL_FIELDS) return;
      if (node.kind === Kind.FIELD) names.add(node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet.selections);
      else collect(findFragment(document, node.name.value));
    }
  };
  collect(selectionSet.selections);
  return [...names];
}

function findFragment({ definitions }: DocumentNode, name: string): readonly SelectionNode[] {
  const fragment = definitions.find((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name);
  return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fragment.selectionSet.selections : [];
}
