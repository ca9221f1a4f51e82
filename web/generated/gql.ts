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
    "fragment TransactionRow on Transaction {\n  id\n  transactionId\n  type\n  status\n  direction\n  network\n  amount\n  amountUsd\n  asset\n  paidFromCredit\n  resource\n  payTo\n  description\n  txHash\n  explorerUrl\n  failureReason\n  createdAt\n}\n\nsubscription TransactionUpdates($after: String) {\n  transactionUpdated(after: $after) {\n    cursor\n    transaction {\n      ...TransactionRow\n    }\n  }\n}": typeof types.TransactionRowFragmentDoc,
    "query Overview {\n  viewer {\n    account {\n      id\n      x402Enabled\n      spending {\n        perTransactionLimitUsd\n        day {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n        month {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n      }\n    }\n    wallet {\n      creditUsd\n      balances {\n        network\n        address\n        usdc {\n          amount\n          symbol\n        }\n        native {\n          amount\n          amountAtomic\n          symbol\n        }\n      }\n    }\n  }\n}": typeof types.OverviewDocument,
    "query SpendingHistory($period: SpendingPeriod!, $count: Int!) {\n  viewer {\n    spendingHistory(period: $period, count: $count) {\n      startsAt\n      spentUsd\n      paymentCount\n    }\n  }\n}": typeof types.SpendingHistoryDocument,
    "query Transactions($filter: TransactionFilter, $first: Int!, $after: String) {\n  viewer {\n    transactions(filter: $filter, first: $first, after: $after) {\n      edges {\n        node {\n          ...TransactionRow\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": typeof types.TransactionsDocument,
    "mutation SetX402Enabled($input: SetX402EnabledInput!) {\n  setX402Enabled(input: $input) {\n    ... on SetX402EnabledSuccess {\n      account {\n        id\n        x402Enabled\n      }\n    }\n    ... on Error {\n      ...FailureFields\n    }\n  }\n}": typeof types.SetX402EnabledDocument,
};
const documents: Documents = {
    "query Shell {\n  viewer {\n    account {\n      id\n      email\n      displayName\n    }\n  }\n}": types.ShellDocument,
    "fragment FailureFields on Error {\n  code\n  message\n  ... on InvalidRequestError {\n    field\n  }\n  ... on LimitExceedsOwnError {\n    field\n  }\n}": types.FailureFieldsFragmentDoc,
    "fragment TransactionRow on Transaction {\n  id\n  transactionId\n  type\n  status\n  direction\n  network\n  amount\n  amountUsd\n  asset\n  paidFromCredit\n  resource\n  payTo\n  description\n  txHash\n  explorerUrl\n  failureReason\n  createdAt\n}\n\nsubscription TransactionUpdates($after: String) {\n  transactionUpdated(after: $after) {\n    cursor\n    transaction {\n      ...TransactionRow\n    }\n  }\n}": types.TransactionRowFragmentDoc,
    "query Overview {\n  viewer {\n    account {\n      id\n      x402Enabled\n      spending {\n        perTransactionLimitUsd\n        day {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n        month {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n      }\n    }\n    wallet {\n      creditUsd\n      balances {\n        network\n        address\n        usdc {\n          amount\n          symbol\n        }\n        native {\n          amount\n          amountAtomic\n          symbol\n        }\n      }\n    }\n  }\n}": types.OverviewDocument,
    "query SpendingHistory($period: SpendingPeriod!, $count: Int!) {\n  viewer {\n    spendingHistory(period: $period, count: $count) {\n      startsAt\n      spentUsd\n      paymentCount\n    }\n  }\n}": types.SpendingHistoryDocument,
    "query Transactions($filter: TransactionFilter, $first: Int!, $after: String) {\n  viewer {\n    transactions(filter: $filter, first: $first, after: $after) {\n      edges {\n        node {\n          ...TransactionRow\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": types.TransactionsDocument,
    "mutation SetX402Enabled($input: SetX402EnabledInput!) {\n  setX402Enabled(input: $input) {\n    ... on SetX402EnabledSuccess {\n      account {\n        id\n        x402Enabled\n      }\n    }\n    ... on Error {\n      ...FailureFields\n    }\n  }\n}": types.SetX402EnabledDocument,
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
export function graphql(source: "fragment TransactionRow on Transaction {\n  id\n  transactionId\n  type\n  status\n  direction\n  network\n  amount\n  amountUsd\n  asset\n  paidFromCredit\n  resource\n  payTo\n  description\n  txHash\n  explorerUrl\n  failureReason\n  createdAt\n}\n\nsubscription TransactionUpdates($after: String) {\n  transactionUpdated(after: $after) {\n    cursor\n    transaction {\n      ...TransactionRow\n    }\n  }\n}"): (typeof documents)["fragment TransactionRow on Transaction {\n  id\n  transactionId\n  type\n  status\n  direction\n  network\n  amount\n  amountUsd\n  asset\n  paidFromCredit\n  resource\n  payTo\n  description\n  txHash\n  explorerUrl\n  failureReason\n  createdAt\n}\n\nsubscription TransactionUpdates($after: String) {\n  transactionUpdated(after: $after) {\n    cursor\n    transaction {\n      ...TransactionRow\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Overview {\n  viewer {\n    account {\n      id\n      x402Enabled\n      spending {\n        perTransactionLimitUsd\n        day {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n        month {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n      }\n    }\n    wallet {\n      creditUsd\n      balances {\n        network\n        address\n        usdc {\n          amount\n          symbol\n        }\n        native {\n          amount\n          amountAtomic\n          symbol\n        }\n      }\n    }\n  }\n}"): (typeof documents)["query Overview {\n  viewer {\n    account {\n      id\n      x402Enabled\n      spending {\n        perTransactionLimitUsd\n        day {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n        month {\n          limitUsd\n          settledUsd\n          outstandingUsd\n          remainingUsd\n        }\n      }\n    }\n    wallet {\n      creditUsd\n      balances {\n        network\n        address\n        usdc {\n          amount\n          symbol\n        }\n        native {\n          amount\n          amountAtomic\n          symbol\n        }\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SpendingHistory($period: SpendingPeriod!, $count: Int!) {\n  viewer {\n    spendingHistory(period: $period, count: $count) {\n      startsAt\n      spentUsd\n      paymentCount\n    }\n  }\n}"): (typeof documents)["query SpendingHistory($period: SpendingPeriod!, $count: Int!) {\n  viewer {\n    spendingHistory(period: $period, count: $count) {\n      startsAt\n      spentUsd\n      paymentCount\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Transactions($filter: TransactionFilter, $first: Int!, $after: String) {\n  viewer {\n    transactions(filter: $filter, first: $first, after: $after) {\n      edges {\n        node {\n          ...TransactionRow\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}"): (typeof documents)["query Transactions($filter: TransactionFilter, $first: Int!, $after: String) {\n  viewer {\n    transactions(filter: $filter, first: $first, after: $after) {\n      edges {\n        node {\n          ...TransactionRow\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation SetX402Enabled($input: SetX402EnabledInput!) {\n  setX402Enabled(input: $input) {\n    ... on SetX402EnabledSuccess {\n      account {\n        id\n        x402Enabled\n      }\n    }\n    ... on Error {\n      ...FailureFields\n    }\n  }\n}"): (typeof documents)["mutation SetX402Enabled($input: SetX402EnabledInput!) {\n  setX402Enabled(input: $input) {\n    ... on SetX402EnabledSuccess {\n      account {\n        id\n        x402Enabled\n      }\n    }\n    ... on Error {\n      ...FailureFields\n    }\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;