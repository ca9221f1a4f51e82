/* eslint-disable */
import * as types from './graphql.ts';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "query Shell {\n  viewer {\n    account {\n      id\n      email\n      displayName\n    }\n  }\n}": typeof types.ShellDocument,
    "fragment FailureFields on Error {\n  code\n  message\n  ... on InvalidRequestError {\n    field\n  }\n  ... on LimitExceedsOwnError {\n    field\n  }\n}": typeof types.FailureFieldsFragmentDoc,
    "query Overview {\n  viewer {\n    account {\n      id\n      x402Enabled\n      spending {\n        perTransactionLimitUsd\n        day {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n        month {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n      }\n    }\n    wallet {\n      creditUsd\n      balances {\n        network\n        address\n        usdc {\n          amount\n          symbol\n        }\n        native {\n          amount\n          amountAtomic\n          symbol\n        }\n      }\n    }\n  }\n}": typeof types.OverviewDocument,
};
const documents: Documents = {
    "query Shell {\n  viewer {\n    account {\n      id\n      email\n      displayName\n    }\n  }\n}": types.ShellDocument,
    "fragment FailureFields on Error {\n  code\n  message\n  ... on InvalidRequestError {\n    field\n  }\n  ... on LimitExceedsOwnError {\n    field\n  }\n}": types.FailureFieldsFragmentDoc,
    "query Overview {\n  viewer {\n    account {\n      id\n      x402Enabled\n      spending {\n        perTransactionLimitUsd\n        day {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n        month {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n      }\n    }\n    wallet {\n      creditUsd\n      balances {\n        network\n        address\n        usdc {\n          amount\n          symbol\n        }\n        native {\n          amount\n          amountAtomic\n          symbol\n        }\n      }\n    }\n  }\n}": types.OverviewDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Shell {\n  viewer {\n    account {\n      id\n      email\n      displayName\n    }\n  }\n}"): (typeof documents)["query Shell {\n  viewer {\n    account {\n      id\n      email\n      displayName\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment FailureFields on Error {\n  code\n  message\n  ... on InvalidRequestError {\n    field\n  }\n  ... on LimitExceedsOwnError {\n    field\n  }\n}"): (typeof documents)["fragment FailureFields on Error {\n  code\n  message\n  ... on InvalidRequestError {\n    field\n  }\n  ... on LimitExceedsOwnError {\n    field\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Overview {\n  viewer {\n    account {\n      id\n      x402Enabled\n      spending {\n        perTransactionLimitUsd\n        day {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n        month {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n      }\n    }\n    wallet {\n      creditUsd\n      balances {\n        network\n        address\n        usdc {\n          amount\n          symbol\n        }\n        native {\n          amount\n          amountAtomic\n          symbol\n        }\n      }\n    }\n  }\n}"): (typeof documents)["query Overview {\n  viewer {\n    account {\n      id\n      x402Enabled\n      spending {\n        perTransactionLimitUsd\n        day {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n        month {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n      }\n    }\n    wallet {\n      creditUsd\n      balances {\n        network\n        address\n        usdc {\n          amount\n          symbol\n        }\n        native {\n          amount\n          amountAtomic\n          symbol\n        }\n      }\n    }\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;