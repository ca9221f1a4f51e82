/** Error codes and their meanings, read from the descriptions in the GraphQL schema. */
import type { GraphQLEnumType, GraphQLSchema } from "graphql";
import type { ErrorCode } from "./generated/graphql.ts";

export interface DescribedCode {
  /** The code in the API's own form: OpenAI routes rename some codes. */
  readonly code: string;
  readonly meaning: string;
}

export type MeaningOf = (code: ErrorCode) => string;

export function readErrorMeanings(schema: GraphQLSchema): MeaningOf {
  const codes = schema.getType("ErrorCode") as GraphQLEnumType;
  const meanings = new Map(codes.getValues().map(({ value, description }) => [value, description ?? ""]));
  return (code) => meanings.get(code) ?? "";
}

/** Formats the codes as a Markdown list. */
export function formatCodeList(codes: readonly DescribedCode[]): string {
  return codes.map(({ code, meaning }) => `- \`${code}\`: ${meaning}`).join("\n");
}
