/** Failures' codes with what they mean, in the schema's own words. */
import type { GraphQLEnumType, GraphQLSchema } from "graphql";
import type { ErrorCode } from "./generated/graphql.ts";

export interface DescribedCode {
  /** As the route's callers are told it. */
  readonly code: string;
  readonly meaning: string;
}

export type MeaningOf = (code: ErrorCode) => string;

export function meaningsIn(schema: GraphQLSchema): MeaningOf {
  const codes = schema.getType("ErrorCode") as GraphQLEnumType;
  return (code) => codes.getValue(code)?.description ?? "";
}

/** One after the other, as Markdown. */
export function described(codes: readonly DescribedCode[]): string {
  return codes.map(({ code, meaning }) => `- \`${code}\`: ${meaning}`).join("\n");
}
