import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  visit,
} from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";

export type Variables = Readonly<Record<string, unknown>>;

/** Runs one operation of a document that has been validated. */
export type OperationRunner = (
  variables: Variables | null | undefined,
  context: unknown,
  rootValue?: unknown,
) => ExecutionResult | Promise<ExecutionResult>;

/** One that is run in process. */
export type CompiledOperation<TData> = (
  variables: Variables,
  context: unknown,
) => ExecutionResult<TData> | Promise<ExecutionResult<TData>>;

const guarded = new WeakSet<GraphQLSchema>();

/**
 * A type resolver that throws inside a compiled query escapes as an unhandled rejection and leaves the request
 * hanging; one that answers nothing becomes an ordinary field error. So they are made to answer nothing.
 */
function guardTypeResolvers(schema: GraphQLSchema): void {
  if (guarded.has(schema)) return;
  guarded.add(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type) && type.resolveType) type.resolveType = guard(type.resolveType, undefined);
    if (isObjectType(type) && type.isTypeOf) type.isTypeOf = guard(type.isTypeOf, false);
  }
}

function guard<TArgs extends unknown[], TResult>(resolve: (...args: TArgs) => TResult, otherwise: TResult) {
  return (...args: TArgs): TResult => {
    try {
      const result = resolve(...args);
      return result instanceof Promise ? (result.catch(() => otherwise) as TResult) : result;
    } catch {
      return otherwise;
    }
  };
}

/**
 * graphql-jit's function for the operation, or null where it cannot compile it. Documents with `@skip` or `@include`
 * are left to graphql-js: jit 0.8 drops fields when a fragment is spread under different conditions.
 */
function compile(schema: GraphQLSchema, document: DocumentNode, operationName?: string): CompiledQuery["query"] | null {
  if (hasConditions(document)) return null;
  guardTypeResolvers(schema);
  const compiled = compileQuery(schema, document, operationName);
  return isCompiledQuery(compiled) ? compiled.query : null;
}

function hasConditions(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive(node) {
      if (node.name.value !== "skip" && node.name.value !== "include") return undefined;
      found = true;
      return BREAK;
    },
  });
  return found;
}

/**
 * A runner that interprets its first `compileAfter` calls and compiles then, so that documents seen once cost no
 * compilation. Where jit refuses the variables, graphql-js runs again (no resolver has run yet) and words the errors.
 * The schema's `extensions.releaseContext` is called with the context once there is a result.
 */
export function operationRunner(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  compileAfter: number,
): OperationRunner {
  const run = lazilyCompiled(schema, document, operationName, compileAfter);
  const release = schema.extensions["releaseContext"] as ((context: unknown) => void) | undefined;
  if (!release) return run;
  return (variables, context, rootValue) => {
    const over = (result: ExecutionResult) => {
      release(context);
      return result;
    };
    const result = run(variables, context, rootValue);
    return "then" in result ? result.then(over) : over(result);
  };
}

function lazilyCompiled(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  compileAfter: number,
): OperationRunner {
  let calls = 0;
  let compiled: CompiledQuery["query"] | null | undefined;
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
    }
    if (compiled === null) return interpret(variables, context, rootValue);
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
 * Compiles an operation to be run in process, such as a REST route's. The document must be valid for the schema;
 * limits are for documents of strangers and are not applied. Errors in the result are as thrown, not masked.
 */
export function compileOperation<TData = Record<string, unknown>>(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
): CompiledOperation<TData> {
  return operationRunner(schema, document, operationName, 0) as CompiledOperation<TData>;
}
