import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type NamedTypeNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";

export type Variables = Readonly<Record<string, unknown>>;

/** Runs one operation of a validated document. */
export type OperationRunner = (
  variables: Variables | null | undefined,
  context: unknown,
  rootValue?: unknown,
) => ExecutionResult | Promise<ExecutionResult>;

/** An operation that runs in process, without a transport. */
export type CompiledOperation<TData> = (
  variables: Variables,
  context: unknown,
) => ExecutionResult<TData> | Promise<ExecutionResult<TData>>;

const guarded = new WeakSet<GraphQLSchema>();

/**
 * Wraps the type resolvers so that an error becomes a result without a type. In a compiled query an error would become an
 * unhandled rejection, and the request would hang. A missing type becomes an ordinary field error.
 */
function guardTypeResolvers(schema: GraphQLSchema): void {
  if (guarded.has(schema)) return;
  guarded.add(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type) && type.resolveType) type.resolveType = guard(type.resolveType, undefined);
    if (isObjectType(type) && type.isTypeOf) type.isTypeOf = guard(type.isTypeOf, false);
  }
}

function guard<TArgs extends unknown[], TResult>(resolve: (...args: TArgs) => TResult, fallback: TResult) {
  return (...args: TArgs): TResult => {
    try {
      const result = resolve(...args);
      return result instanceof Promise ? (result.catch(() => fallback) as TResult) : result;
    } catch {
      return fallback;
    }
  };
}

/** Compiles the operation with graphql-jit; null if it cannot. */
function compile(schema: GraphQLSchema, document: DocumentNode, operationName?: string): CompiledQuery["query"] | null {
  if (!isCompilable(schema, document)) return null;
  guardTypeResolvers(schema);
  try {
    const compiled = compileQuery(schema, document, operationName);
    return isCompiledQuery(compiled) ? compiled.query : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether graphql-jit 0.8 runs the document as graphql-js does. With `@skip` or `@include` it drops fields if a fragment
 * is spread under different conditions. It writes literals into JavaScript as JSON, which changes those of the schema's own
 * scalars, and drops variables inside them.
 */
function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  const typeInfo = new TypeInfo(schema);
  let isSupported = true;
  const reject = () => {
    isSupported = false;
    return BREAK;
  };
  const check = () => {
    const type = getNamedType(typeInfo.getInputType());
    return isScalarType(type) && !isSpecifiedScalarType(type) ? reject() : undefined;
  };
  const literals = { IntValue: check, FloatValue: check, StringValue: check, BooleanValue: check, ObjectValue: check };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      ...literals,
      ListValue: check,
      Directive: ({ name }) => (name.value === "skip" || name.value === "include" ? reject() : undefined),
    }),
  );
  return isSupported;
}

/**
 * Returns whether graphql-js accepts the variables of a compiled operation. graphql-jit 0.8 does not check that one field of a
 * `@oneOf` input is given. Operations without such an input need no check.
 */
function createVariableCheck(schema: GraphQLSchema, document: DocumentNode, operationName?: string) {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const checked = new Set<GraphQLNamedType>();
  const containsOneOf = (type: GraphQLNamedType | undefined): boolean => {
    if (!isInputObjectType(type) || checked.has(type)) return false;
    checked.add(type);
    return type.isOneOf || Object.values(type.getFields()).some((field) => containsOneOf(getNamedType(field.type)));
  };
  if (!definitions.some(({ type }) => containsOneOf(getNamedType(typeFromAST(schema, type as NamedTypeNode))))) {
    return () => true;
  }
  return (variables: Variables) => getVariableValues(schema, definitions, variables).errors === undefined;
}

/**
 * Creates a runner that interprets its first `compileAfter` calls and then compiles, since most documents run only once. If
 * graphql-jit rejects the variables, no resolver has run yet: graphql-js then runs the operation for its error messages.
 * Calls the schema's `extensions.releaseContext` with the context after the result.
 */
export function createOperationRunner(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  compileAfter: number,
): OperationRunner {
  const run = createLazyRunner(schema, document, operationName, compileAfter);
  const release = schema.extensions["releaseContext"] as ((context: unknown) => void) | undefined;
  if (!release) return run;
  return (variables, context, rootValue) => {
    const releaseAfter = (result: ExecutionResult) => {
      release(context);
      return result;
    };
    const result = run(variables, context, rootValue);
    return "then" in result ? result.then(releaseAfter) : releaseAfter(result);
  };
}

function createLazyRunner(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  compileAfter: number,
): OperationRunner {
  let calls = 0;
  let compiled: CompiledQuery["query"] | null | undefined;
  let areVariablesValid: (variables: Variables) => boolean = () => true;
  const interpret: OperationRunner = (variables, context, rootValue) =>
    execute({
      schema,
      document,
      rootValue,
      contextValue: context,
      variableValues: variables ?? null,
      operationName: operationName ?? null,
    });
  return (variables, context, rootValue) => {
    if (compiled === undefined) {
      if (calls++ < compileAfter) return interpret(variables, context, rootValue);
      compiled = compile(schema, document, operationName);
      areVariablesValid = createVariableCheck(schema, document, operationName);
    }
    if (compiled === null || !areVariablesValid(variables ?? {})) return interpret(variables, context, rootValue);
    try {
      const result = compiled(rootValue, context, variables ?? {}) as ExecutionResult | Promise<ExecutionResult>;
      if (!("then" in result) && !("data" in result)) return interpret(variables, context, rootValue);
      return result;
    } catch (error) {
      return { data: null, errors: [new GraphQLError("Execution failed.", { originalError: error as Error })] };
    }
  };
}

/**
 * Compiles an operation that runs in process, such as that of a REST route. The document must be valid for the schema. The
 * limits for untrusted documents do not apply. Errors in the result are not masked.
 */
export function compileOperation<TData = Record<string, unknown>>(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
): CompiledOperation<TData> {
  return createOperationRunner(schema, document, operationName, 0) as CompiledOperation<TData>;
}
