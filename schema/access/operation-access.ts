/** The access that an operation requires: that of each of its fields, in the access table. */
import {
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { SCOPES, type Scope } from "../../src/accounts/viewer.ts";
import type { NodeName } from "../global-id.ts";
import { type Access, FIELD_ACCESS, NODE_ACCESS } from "./access-table.ts";

export interface Operation {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly schema: GraphQLSchema;
}

/** Returns what each field of the operation requires, without duplicates. */
export function accessesOfOperation({ operation, fragments, schema }: Operation): readonly Access[] {
  const accesses = new Set<Access>();
  const add = (access: Access | undefined) => {
    if (access) accesses.add(access);
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
  return [...accesses];
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

/** Returns the scopes that accesses require where scopes are enforced, in a fixed order. */
export function scopesOfAccesses(accesses: readonly Access[]): readonly Scope[] {
  const scopes = new Set(accesses.flatMap((access) => access.scopes));
  return SCOPES.filter((scope) => scopes.has(scope));
}
