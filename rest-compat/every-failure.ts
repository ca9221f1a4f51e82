import type { ErrorFieldsFragment } from "./generated/graphql.ts";

/** Every field that some failure has. */
export type Everything = Partial<UnionToIntersection<ErrorFieldsFragment>> &
  Pick<ErrorFieldsFragment, "code" | "message">;
type UnionToIntersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
