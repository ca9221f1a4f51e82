/**
 * Shared path objects for compiled queries. Pothos identifies the rows that a query has loaded by the path objects of
 * graphql-js, which creates one per position in the response. A compiled query creates new objects for every field. With
 * unknown paths, Pothos would read the relations of every row again, one by one.
 */
import { type GraphQLOutputType, type GraphQLSchema, getNamedType, isAbstractType, isObjectType } from "graphql";

interface Path {
  readonly prev: Path | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
}

/** Path with its child paths by key. */
interface PathNode {
  readonly path: Path | undefined;
  readonly children: Map<string | number, PathNode>;
}

const roots = new WeakMap<object, PathNode>();

/**
 * Wraps the resolvers that fetch rows or read fields selected by Prisma: they receive one path object per response position,
 * in compiled queries too. Returns the schema.
 */
export function sharePaths(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || !(field.extensions["pothosPrismaSelect"] || isOfRows(field.type))) continue;
      field.resolve = (parent, args, context, info) => {
        // Only path objects of graphql-js have `typename`.
        if (!("typename" in info.path)) Object.assign(info, { path: sharedPath(context, info.path) });
        return resolve(parent, args, context, info);
      };
    }
  }
  return schema;
}

/** Returns true for a type of a row, a page of rows, or an abstract type that may contain one. */
function isOfRows(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  if (isAbstractType(named)) return true;
  return isObjectType(named) && (Boolean(named.extensions["pothosPrismaModel"]) || "edges" in named.getFields());
}

function sharedPath(context: object, path: Path): Path | undefined {
  let root = roots.get(context);
  if (!root) {
    root = { path: undefined, children: new Map() };
    roots.set(context, root);
  }
  return findPathNode(root, path).path;
}

function findPathNode(root: PathNode, { prev, key }: Path): PathNode {
  const { path, children } = prev ? findPathNode(root, prev) : root;
  let node = children.get(key);
  if (!node) {
    node = { path: { prev: path, key, typename: undefined }, children: new Map() };
    children.set(key, node);
  }
  return node;
}
