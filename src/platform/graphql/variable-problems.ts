/** Problems of an operation's variables, all at once, each with its path. Messages never repeat a value, which may be a secret. */
import {
  type ASTNode,
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { formatPath, type InputProblem, MAX_PROBLEMS } from "../errors.ts";
import type { Variables } from "./compile-operation.ts";
import { InvalidValue } from "./invalid-value.ts";

/** The parsed operation, with its document for the fragments. */
interface ParsedOperation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
}

interface VariableProblem {
  readonly definition: VariableDefinitionNode;
  /** Path from the variable's name, with list indexes as numbers. */
  readonly path: readonly (string | number)[];
  /** The problem without the variable's name. */
  readonly message: string;
  /** The scalar's rejection; null if the value has the wrong type. */
  readonly invalid: InvalidValue | null;
}

/** Returns the problems that make the operation's variables invalid. */
export function findVariableProblems(
  schema: GraphQLSchema,
  operation: ParsedOperation,
  variables: Variables,
  hasSuggestions: boolean,
): VariableProblem[] {
  return (operation.definition.variableDefinitions ?? []).flatMap((definition) =>
    findProblemsOf(schema, definition, variables, hasSuggestions),
  );
}

function findProblemsOf(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  variables: Variables,
  hasSuggestions: boolean,
): VariableProblem[] {
  const name = definition.variable.name.value;
  const type = typeFromAST(schema, definition.type);
  if (!isInputType(type)) return [];
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value === undefined || value === null) {
    const isMissing = value === undefined && definition.defaultValue === undefined;
    if (!isNonNullType(type) || (value === undefined && !isMissing)) return [];
    const message = isMissing ? "The variable is required." : "The variable must not be null.";
    return [{ definition, path: [name], message, invalid: null }];
  }
  const problems: VariableProblem[] = [];
  coerceInputValue(
    value,
    type,
    (path, _value, error) => {
      const message = withoutValue(error.message);
      const [, member] = /^Field "(\w+)" (?:of required type|is not defined)/.exec(message) ?? [];
      const fullPath = [name, ...path, ...(member === undefined ? [] : [member])];
      problems.push({ definition, path: fullPath, message, invalid: error instanceof InvalidValue ? error : null });
    },
    !hasSuggestions,
  );
  return problems;
}

/** Removes the value that graphql-js repeats. */
function withoutValue(message: string): string {
  return message
    .replace(/( value): [\s\S]*$/, "$1.")
    .replace(/^Value "[\s\S]*" does not exist/, "The value does not exist");
}

/** Returns the error of the request, with the position of each invalid variable. */
export function createVariableError(problems: readonly VariableProblem[]): GraphQLError {
  const [first] = problems;
  if (!first) return createRequestError("The variables do not match the operation.", [], []);
  const at = first.path.length > 1 ? ` at "${formatPath(first.path.map(String))}"` : "";
  const message = `Variable "$${first.path[0]}" got an invalid value${at}; ${first.message}`;
  const inputProblems = problems.map(({ path, message, invalid }) => {
    const names = path.map(String);
    return { path: names, message: invalid ? `${formatPath(names)} ${invalid.reason}.` : message };
  });
  return createRequestError(message, inputProblems, [...new Set(problems.map(({ definition }) => definition))]);
}

/** Returns the error of a request with invalid values. */
export function createRequestError(
  message: string,
  problems: readonly InputProblem[],
  nodes: readonly ASTNode[],
): GraphQLError {
  const others = problems.length > 1 ? ` ${problems.length} problems are in extensions.problems.` : "";
  const http = { status: 400, spec: true };
  const extensions = { code: "BAD_USER_INPUT", problems: problems.slice(0, MAX_PROBLEMS), http };
  return new GraphQLError(message + others, { nodes, extensions });
}

/**
 * Returns the variables with an `InvalidValue` instead of each rejected value, if fields can report all of them as data. Null if
 * a value has the wrong type, or if another field uses the variable.
 */
export function markInvalidValues(
  schema: GraphQLSchema,
  operation: ParsedOperation,
  variables: Variables,
  problems: readonly VariableProblem[],
): Variables | null {
  const reportable = findReportableVariables(schema, operation);
  const marked = { ...variables };
  const copies = new Set<object>([marked]);
  for (const { path, invalid } of problems) {
    if (!invalid || !reportable.has(String(path[0]))) return null;
    replaceAt(marked, path, invalid, copies);
  }
  return marked;
}

/** Returns the variables that are used only as arguments of fields that return their problems as data. */
function findReportableVariables(schema: GraphQLSchema, { document, definition }: ParsedOperation): Set<string> {
  const definitions = definition.variableDefinitions ?? [];
  const reportable = new Set(definitions.map(({ variable }) => variable.name.value));
  const types = new Map(
    definitions.map((it) => [it.variable.name.value, getNamedType(typeFromAST(schema, it.type as never))]),
  );
  const typeInfo = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(typeInfo, {
    VariableDefinition: () => false,
    Variable({ name: { value: name } }) {
      const isOwnArgument = !typeInfo.getDirective() && returnsInputProblems(typeInfo.getFieldDef());
      // In a literal of JSON a variable has no type, and no validation would find the value.
      const hasOwnType = getNamedType(typeInfo.getInputType()) === types.get(name);
      if (!isOwnArgument || !hasOwnType) reportable.delete(name);
    },
  });
  for (const node of document.definitions) {
    if (node === definition || node.kind === Kind.FRAGMENT_DEFINITION) visit(node, visitor);
  }
  return reportable;
}

/** Returns true if the field's result union contains the error with the problems of its arguments. */
export function returnsInputProblems(field: GraphQLField<unknown, unknown> | null | undefined): boolean {
  return field?.extensions["returnsInputProblems"] === true;
}

/** Replaces a value inside `root`. Copies each object and list on the path once: variables belong to the caller. */
function replaceAt(root: object, path: readonly (string | number)[], replacement: unknown, copies: Set<object>): void {
  let container = root as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) {
    let inner = container[key] as Record<string | number, unknown>;
    if (!copies.has(inner)) {
      inner = (Array.isArray(inner) ? [...inner] : { ...inner }) as typeof inner;
      copies.add(inner);
      container[key] = inner;
    }
    container = inner;
  }
  const last = path.at(-1);
  if (last !== undefined) container[last] = replacement;
}
