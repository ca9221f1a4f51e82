import type { ErrorFieldsFragment } from "./generated/graphql.ts";

/** A failure with the fields of all result union members, each optional. */
export type AnyFailure = Partial<UnionToIntersection<ErrorFieldsFragment>> &
  Pick<ErrorFieldsFragment, "code" | "message">;
type UnionToIntersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
