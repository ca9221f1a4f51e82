/**
 * Pothos remembers which rows a query has loaded by the path objects of graphql-js, of which there is one for each place
 * of the answer. A compiled query makes new ones for every field; unknown paths would have every row's relations read
 * again, one by one.
 */
import { type GraphQLOutputType, type GraphQLSchema, getNamedType, isAbstractType, isObjectType } from "graphql";

interface Path {
  readonly prev: Path | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
}

/** A path and those that go on from it. */
interface Place {
  readonly path: Path | undefined;
  readonly next: Map<string | number, Place>;
}

const roots = new WeakMap<object, Place>();

/** Gives what fetches rows, or shows what Prisma selected of them, one path object for each place, also where it is compiled. */
export function sharePaths(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || !(field.extensions["pothosPrismaSelect"] || isOfRows(field.type))) continue;
      field.resolve = (parent, args, context, info) => {
        // Those of graphql-js, and only those, name the type.
        if (!("typename" in info.path)) Object.assign(info, { path: sharedPath(context, info.path) });
        return resolve(parent, args, context, info);
      };
    }
  }
  return schema;
}

/** A row, a page of rows, or what may be one. */
function isOfRows(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  if (isAbstractType(named)) return true;
  return isObjectType(named) && (Boolean(named.extensions["pothosPrismaModel"]) || "edges" in named.getFields());
}

function sharedPath(context: object, path: Path): Path | undefined {
  let root = roots.get(context);
  if (!root) {
    root = { path: undefined, next: new Map() };
    roots.set(context, root);
  }
  return placeOf(root, path).path;
}

function placeOf(root: Place, { prev, key }: Path): Place {
  const { path, next } = prev ? placeOf(root, prev) : root;
  let place = next.get(key);
  if (!place) {
    place = { path: { prev: path, key, typename: undefined }, next: new Map() };
    next.set(key, place);
  }
  return place;
}
