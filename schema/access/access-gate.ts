/**
 * The gate of the access table. It guards each root field and each field of `Viewer`. It also guards each field that leads from an
 * object with an id, an update or an event to an object with an id. A field that the table does not name cannot be built.
 */
import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type PothosOutputFieldType,
  type SchemaTypes,
} from "@pothos/core";
import { type GraphQLFieldResolver, type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from "graphql";
import type { Context } from "../context.ts";
import { type Access, FIELD_ACCESS } from "./access-table.ts";
import { addChallenge } from "./add-challenge.ts";
import { isView, nodeAccessOf } from "./operation-access.ts";
import { requireAccess } from "./require-access.ts";

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types["Context"], object>;

const NAMED_TYPES = ["Query", "Mutation", "Subscription", "Viewer"];

class AccessGatePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const { parentType, name, type } = field;
    if (NAMED_TYPES.includes(parentType)) return guard(resolve, accessOf(parentType, name));
    if (!isView(parentType) || !isComposite(type)) return resolve;
    return (parent, args, context, info) => {
      const access = nodeAccessOf(info.returnType);
      if (access) check(access, context as unknown as Context, info);
      return resolve(parent, args, context, info);
    };
  }

  override wrapSubscribe(
    subscribe: Resolver<Types> | undefined,
    { parentType, name }: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> | undefined {
    return subscribe && guard(subscribe, accessOf(parentType, name));
  }

  override afterBuild(schema: GraphQLSchema): GraphQLSchema {
    const known = new Set(
      NAMED_TYPES.flatMap((type) => {
        const object = schema.getType(type);
        return isObjectType(object) ? Object.keys(object.getFields()).map((name) => `${type}.${name}`) : [];
      }),
    );
    const unknown = [...FIELD_ACCESS.keys()].filter((field) => !known.has(field));
    if (unknown.length > 0) throw new Error(`The access table names fields that do not exist: ${unknown.join(", ")}`);
    return schema;
  }
}

function accessOf(type: string, name: string): Access {
  const access = FIELD_ACCESS.get(`${type}.${name}`);
  if (!access) throw new Error(`The access table does not name ${type}.${name}. State in it who may use the field.`);
  return access;
}

function guard<Types extends SchemaTypes>(resolve: Resolver<Types>, access: Access): Resolver<Types> {
  if (access.caller === "anyone") return resolve;
  return (parent, args, context, info) => {
    check(access, context as unknown as Context, info);
    return resolve(parent, args, context, info);
  };
}

function check(access: Access, context: Context, info: GraphQLResolveInfo): void {
  try {
    requireAccess(access, context);
  } catch (error) {
    addChallenge(error, context, info);
    throw error;
  }
}

function isComposite<Types extends SchemaTypes>(type: PothosOutputFieldType<Types>): boolean {
  return type.kind === "List" ? isComposite(type.type) : type.kind !== "Scalar" && type.kind !== "Enum";
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      accessGate: AccessGatePlugin<Types>;
    }
  }
}

/** Name of the plugin, for `plugins` of the builder. */
export const ACCESS_GATE = "accessGate";
SchemaBuilder.registerPlugin(ACCESS_GATE, AccessGatePlugin);
