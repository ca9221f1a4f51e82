/** Screens of a frontend with gql.tada: TypeScript infers the types of results and variables from the documents. */
import { initGraphQLTada, type ResultOf, type VariablesOf } from "gql.tada";
// Generated next to the copy of this file that the test compiles.
import type { introspection } from "./introspection.ts";

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { DateTime: string; Usd: string; Url: string };
}>();

export const overview = graphql(`
  query Overview {
    viewer {
      account {
        x402Enabled
      }
      wallet {
        creditUsd
      }
    }
  }
`);

export const tokens = graphql(`
  query Tokens($first: Int!, $after: String) {
    viewer {
      apiTokens(first: $first, after: $after) {
        edges {
          node {
            name
            status
          }
        }
      }
    }
  }
`);

export const createWebhook = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      __typename
      ... on CreateWebhookSuccess {
        webhook {
          url
        }
      }
      ... on Error {
        code
      }
    }
  }
`);

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const check = <_T extends true>() => undefined;

type Viewer = NonNullable<ResultOf<typeof overview>["viewer"]>;
check<Equal<Viewer["account"]["x402Enabled"], boolean>>();
check<Equal<Viewer["wallet"]["creditUsd"], string>>();
check<Equal<VariablesOf<typeof tokens>["first"], number>>();
type Token = NonNullable<NonNullable<ResultOf<typeof tokens>["viewer"]>["apiTokens"]>["edges"][number]["node"];
check<Equal<Token["status"], "ACTIVE" | "EXPIRED" | "REVOKED">>();
check<Equal<VariablesOf<typeof createWebhook>["input"]["url"], string>>();
