/** Types of documents that run in process, as codegen generates them. */
import type { DocumentNode } from "graphql";

/** A document with the types of its variables and data. */
export interface TypedDocument<Data, Variables> extends DocumentNode {
  __apiType?: (variables: Variables) => Data;
}

/**
 * The data of an operation without errors. GraphQL's root fields are nullable, so that an error of one leaves the others. A
 * result union or a list is null only with an error.
 */
export type DataWithoutErrors<Data> = {
  [Field in keyof Data]: Data[Field] extends { readonly __typename: string } | readonly unknown[] | null
    ? NonNullable<Data[Field]>
    : Data[Field];
};
