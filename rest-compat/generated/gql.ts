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
    "query Balance($network: NetworkName) {\n  viewer {\n    wallet {\n      balance(network: $network) {\n        creditUsd\n        network\n        address\n        usdc {\n          amountAtomic\n          decimals\n        }\n        native {\n          amount\n        }\n      }\n    }\n  }\n}": typeof types.BalanceDocument,
    "fragment ErrorFields on Error {\n  code\n  message\n  ... on InvalidRequestError {\n    field\n  }\n  ... on UrlNotAllowedError {\n    field\n  }\n  ... on UnsupportedNetworkError {\n    field\n  }\n  ... on IdempotencyKeyReusedError {\n    field\n  }\n  ... on RateLimitedError {\n    retryAfterMs\n  }\n  ... on TargetUnreachableError {\n    paidTransactionId\n  }\n  ... on TargetTimeoutError {\n    paidTransactionId\n  }\n  ... on TargetResponseInvalidError {\n    paidTransactionId\n  }\n  ... on SpendingLimitExceededError {\n    period\n    limitUsd\n    remainingUsd\n    requiredUsd\n    accepts\n  }\n  ... on InsufficientBalanceError {\n    network\n    asset\n    remainingAtomic\n    requiredAtomic\n    accepts\n  }\n  ... on MaxValueExceededError {\n    limitAtomic\n    requiredAtomic\n    accepts\n  }\n  ... on NoAcceptableRequirementError {\n    accepts\n    considered {\n      index\n      refusal\n      explanation\n    }\n  }\n}": typeof types.ErrorFieldsFragmentDoc,
    "mutation SignPayment($input: SignPaymentInput!) {\n  signPayment(input: $input) {\n    __typename\n    ... on SignPaymentSuccess {\n      transactionId\n      headerName\n      paymentHeader\n      paymentProof\n      amountPaidUsd\n      network\n      userWallet\n      signingWallet\n      scheme\n      paidFromCredit\n    }\n    ...ErrorFields\n  }\n}": typeof types.SignPaymentDocument,
    "query Transactions($first: Int!, $after: String, $filter: TransactionFilter!) {\n  viewer {\n    transactions(first: $first, after: $after, filter: $filter) {\n      edges {\n        node {\n          transactionId\n          type\n          status\n          direction\n          amount\n          amountAtomic\n          asset\n          network\n          scheme\n          resource\n          payTo\n          txHash\n          explorerUrl\n          paidFromCredit\n          feeUsd\n          createdAt\n          settledAt\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": typeof types.TransactionsDocument,
    "mutation X402Fetch($input: X402FetchInput!) {\n  x402Fetch(input: $input) {\n    __typename\n    ... on X402FetchSuccess {\n      status\n    }\n    ...ErrorFields\n  }\n}": typeof types.X402FetchDocument,
};
const documents: Documents = {
    "query Balance($network: NetworkName) {\n  viewer {\n    wallet {\n      balance(network: $network) {\n        creditUsd\n        network\n        address\n        usdc {\n          amountAtomic\n          decimals\n        }\n        native {\n          amount\n        }\n      }\n    }\n  }\n}": types.BalanceDocument,
    "fragment ErrorFields on Error {\n  code\n  message\n  ... on InvalidRequestError {\n    field\n  }\n  ... on UrlNotAllowedError {\n    field\n  }\n  ... on UnsupportedNetworkError {\n    field\n  }\n  ... on IdempotencyKeyReusedError {\n    field\n  }\n  ... on RateLimitedError {\n    retryAfterMs\n  }\n  ... on TargetUnreachableError {\n    paidTransactionId\n  }\n  ... on TargetTimeoutError {\n    paidTransactionId\n  }\n  ... on TargetResponseInvalidError {\n    paidTransactionId\n  }\n  ... on SpendingLimitExceededError {\n    period\n    limitUsd\n    remainingUsd\n    requiredUsd\n    accepts\n  }\n  ... on InsufficientBalanceError {\n    network\n    asset\n    remainingAtomic\n    requiredAtomic\n    accepts\n  }\n  ... on MaxValueExceededError {\n    limitAtomic\n    requiredAtomic\n    accepts\n  }\n  ... on NoAcceptableRequirementError {\n    accepts\n    considered {\n      index\n      refusal\n      explanation\n    }\n  }\n}": types.ErrorFieldsFragmentDoc,
    "mutation SignPayment($input: SignPaymentInput!) {\n  signPayment(input: $input) {\n    __typename\n    ... on SignPaymentSuccess {\n      transactionId\n      headerName\n      paymentHeader\n      paymentProof\n      amountPaidUsd\n      network\n      userWallet\n      signingWallet\n      scheme\n      paidFromCredit\n    }\n    ...ErrorFields\n  }\n}": types.SignPaymentDocument,
    "query Transactions($first: Int!, $after: String, $filter: TransactionFilter!) {\n  viewer {\n    transactions(first: $first, after: $after, filter: $filter) {\n      edges {\n        node {\n          transactionId\n          type\n          status\n          direction\n          amount\n          amountAtomic\n          asset\n          network\n          scheme\n          resource\n          payTo\n          txHash\n          explorerUrl\n          paidFromCredit\n          feeUsd\n          createdAt\n          settledAt\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": types.TransactionsDocument,
    "mutation X402Fetch($input: X402FetchInput!) {\n  x402Fetch(input: $input) {\n    __typename\n    ... on X402FetchSuccess {\n      status\n    }\n    ...ErrorFields\n  }\n}": types.X402FetchDocument,
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
export function graphql(source: "query Balance($network: NetworkName) {\n  viewer {\n    wallet {\n      balance(network: $network) {\n        creditUsd\n        network\n        address\n        usdc {\n          amountAtomic\n          decimals\n        }\n        native {\n          amount\n        }\n      }\n    }\n  }\n}"): (typeof documents)["query Balance($network: NetworkName) {\n  viewer {\n    wallet {\n      balance(network: $network) {\n        creditUsd\n        network\n        address\n        usdc {\n          amountAtomic\n          decimals\n        }\n        native {\n          amount\n        }\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment ErrorFields on Error {\n  code\n  message\n  ... on InvalidRequestError {\n    field\n  }\n  ... on UrlNotAllowedError {\n    field\n  }\n  ... on UnsupportedNetworkError {\n    field\n  }\n  ... on IdempotencyKeyReusedError {\n    field\n  }\n  ... on RateLimitedError {\n    retryAfterMs\n  }\n  ... on TargetUnreachableError {\n    paidTransactionId\n  }\n  ... on TargetTimeoutError {\n    paidTransactionId\n  }\n  ... on TargetResponseInvalidError {\n    paidTransactionId\n  }\n  ... on SpendingLimitExceededError {\n    period\n    limitUsd\n    remainingUsd\n    requiredUsd\n    accepts\n  }\n  ... on InsufficientBalanceError {\n    network\n    asset\n    remainingAtomic\n    requiredAtomic\n    accepts\n  }\n  ... on MaxValueExceededError {\n    limitAtomic\n    requiredAtomic\n    accepts\n  }\n  ... on NoAcceptableRequirementError {\n    accepts\n    considered {\n      index\n      refusal\n      explanation\n    }\n  }\n}"): (typeof documents)["fragment ErrorFields on Error {\n  code\n  message\n  ... on InvalidRequestError {\n    field\n  }\n  ... on UrlNotAllowedError {\n    field\n  }\n  ... on UnsupportedNetworkError {\n    field\n  }\n  ... on IdempotencyKeyReusedError {\n    field\n  }\n  ... on RateLimitedError {\n    retryAfterMs\n  }\n  ... on TargetUnreachableError {\n    paidTransactionId\n  }\n  ... on TargetTimeoutError {\n    paidTransactionId\n  }\n  ... on TargetResponseInvalidError {\n    paidTransactionId\n  }\n  ... on SpendingLimitExceededError {\n    period\n    limitUsd\n    remainingUsd\n    requiredUsd\n    accepts\n  }\n  ... on InsufficientBalanceError {\n    network\n    asset\n    remainingAtomic\n    requiredAtomic\n    accepts\n  }\n  ... on MaxValueExceededError {\n    limitAtomic\n    requiredAtomic\n    accepts\n  }\n  ... on NoAcceptableRequirementError {\n    accepts\n    considered {\n      index\n      refusal\n      explanation\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation SignPayment($input: SignPaymentInput!) {\n  signPayment(input: $input) {\n    __typename\n    ... on SignPaymentSuccess {\n      transactionId\n      headerName\n      paymentHeader\n      paymentProof\n      amountPaidUsd\n      network\n      userWallet\n      signingWallet\n      scheme\n      paidFromCredit\n    }\n    ...ErrorFields\n  }\n}"): (typeof documents)["mutation SignPayment($input: SignPaymentInput!) {\n  signPayment(input: $input) {\n    __typename\n    ... on SignPaymentSuccess {\n      transactionId\n      headerName\n      paymentHeader\n      paymentProof\n      amountPaidUsd\n      network\n      userWallet\n      signingWallet\n      scheme\n      paidFromCredit\n    }\n    ...ErrorFields\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Transactions($first: Int!, $after: String, $filter: TransactionFilter!) {\n  viewer {\n    transactions(first: $first, after: $after, filter: $filter) {\n      edges {\n        node {\n          transactionId\n          type\n          status\n          direction\n          amount\n          amountAtomic\n          asset\n          network\n          scheme\n          resource\n          payTo\n          txHash\n          explorerUrl\n          paidFromCredit\n          feeUsd\n          createdAt\n          settledAt\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}"): (typeof documents)["query Transactions($first: Int!, $after: String, $filter: TransactionFilter!) {\n  viewer {\n    transactions(first: $first, after: $after, filter: $filter) {\n      edges {\n        node {\n          transactionId\n          type\n          status\n          direction\n          amount\n          amountAtomic\n          asset\n          network\n          scheme\n          resource\n          payTo\n          txHash\n          explorerUrl\n          paidFromCredit\n          feeUsd\n          createdAt\n          settledAt\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation X402Fetch($input: X402FetchInput!) {\n  x402Fetch(input: $input) {\n    __typename\n    ... on X402FetchSuccess {\n      status\n    }\n    ...ErrorFields\n  }\n}"): (typeof documents)["mutation X402Fetch($input: X402FetchInput!) {\n  x402Fetch(input: $input) {\n    __typename\n    ... on X402FetchSuccess {\n      status\n    }\n    ...ErrorFields\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;