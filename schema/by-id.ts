/** Look-ups of objects by id in `Query`. */
import { builder } from "./builder.ts";
import { idOf, type NodeName, toGlobalId } from "./global-id.ts";

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

/** An object type whose resolvers receive `Shape`. */
export type ObjectType<Shape> = PothosSchemaTypes.ObjectRef<Types, Shape>;

/**
 * Adds a field to `Query` that returns an object by its global id or its own id. It returns what `node` returns for the global
 * id: null for an unknown id and for an object that the caller may not see.
 * @param noun the object with its article, for the descriptions: "the message"
 */
export function lookUpById<Shape>(name: string, type: NodeName, node: ObjectType<Shape>, noun: string): void {
  builder.queryField(name, (t) =>
    t.field({
      type: node,
      nullable: true,
      description: `Returns ${noun} with the given id. Null if the caller has no such object.`,
      args: { id: t.arg.id({ required: true, description: `The id of ${noun}.`, validate: idOf(type) }) },
      resolve: (root, { id }, context, info) => {
        const { node: byGlobalId } = info.schema.getQueryType()?.getFields() ?? {};
        return byGlobalId?.resolve?.(root, { id: toGlobalId(type, id) }, context, info) as never;
      },
    }),
  );
}
