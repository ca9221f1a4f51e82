/** The challenge of a refused operation: which credential, and which scopes, the whole operation requires. */
import {
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  Kind,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { InsufficientScopeError, SCOPES } from "../../src/accounts/viewer.ts";
import { UnauthorizedError } from "../../src/platform/errors.ts";
import { formatChallenge } from "../../src/platform/http/challenge.ts";
import type { Context } from "../context.ts";
import type { NodeName } from "../global-id.ts";
import { type Access, FIELD_ACCESS, NODE_ACCESS } from "./access-table.ts";
import { usesRouteScopes } from "./require-access.ts";

type Operation = Pick<GraphQLResolveInfo, "operation" | "fragments" | "schema">;

/** Contexts of operations whose challenge was added. */
const challenged = new WeakSet<Context>();

/**
 * Adds `WWW-Authenticate` to the response, if the transport has response headers. Once for an operation: a list can have
 * thousands of refused fields, and the challenge reads the whole operation.
 */
export function addChallenge(error: unknown, context: Context, operation: Operation): void {
  const { addHeader, deps, path, hasCredential } = context;
  if (!addHeader || challenged.has(context)) return;
  if (error instanceof UnauthorizedError) {
    const challenge = hasCredential ? { error: "invalid_token" as const } : {};
    addHeader("www-authenticate", formatChallenge(deps.site, path, challenge));
  }
  if (error instanceof InsufficientScopeError) {
    const scopes = scopesOfOperation(operation, usesRouteScopes(context));
    challenged.add(context);
    addHeader("www-authenticate", formatChallenge(deps.site, path, { error: "insufficient_scope", scopes }));
  }
}

/** Returns all scopes that the fields of an operation require where scopes are enforced. */
export function scopesOfOperation({ operation, fragments, schema }: Operation, isOnRoute = false): readonly string[] {
  const scopes = new Set<string>();
  const add = (access: Access | undefined) => {
    const required = isOnRoute ? (access?.scopesOnRoutes ?? access?.scopes) : access?.scopes;
    for (const scope of required ?? []) scopes.add(scope);
  };
  const types = new TypeInfo(schema);
  const document = { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] } as const;
  visit(
    // Without the fragments of other operations.
    separateOperations(document)[operation.name?.value ?? ""] ?? document,
    visitWithTypeInfo(types, {
      Field({ name }) {
        const parent = types.getParentType()?.name ?? "";
        const access = FIELD_ACCESS.get(`${parent}.${name.value}`);
        if (access) add(access);
        else if (isView(parent)) add(nodeAccessOf(types.getType()));
      },
      // `node` requires what the type of the object requires.
      InlineFragment({ typeCondition }) {
        if (isNodeInterface(schema, types)) add(NODE_ACCESS[typeCondition?.name.value as NodeName]);
      },
      FragmentSpread({ name }) {
        if (isNodeInterface(schema, types))
          add(NODE_ACCESS[fragments[name.value]?.typeCondition.name.value as NodeName]);
      },
    }),
  );
  return SCOPES.filter((scope) => scopes.has(scope));
}

/**
 * Whether fields of a type may lead to what the reader may not read. The results of mutations are no views: who pays may read
 * the payment.
 */
export function isView(type: string): boolean {
  return type in NODE_ACCESS || /(?:Update|EventData)$/.test(type);
}

/** Returns what reading the objects of an output type requires; undefined for types without an id. */
export function nodeAccessOf(type: GraphQLOutputType | null | undefined): Access | undefined {
  const name = getNamedType(type)?.name.replace(/Connection$/, "") ?? "";
  return NODE_ACCESS[name as NodeName];
}

function isNodeInterface(schema: GraphQLSchema, types: TypeInfo): boolean {
  const parent = types.getParentType();
  return isAbstractType(parent) && parent === schema.getType("Node");
}
