/** Screens of a Relay frontend. The compiler checks them against the schema and generates the operations that the test runs. */
import { graphql } from "relay-runtime";

export const overview = graphql`
  query screensOverviewQuery {
    viewer {
      account {
        x402Enabled
      }
      wallet {
        creditUsd
      }
    }
  }
`;

export const setX402 = graphql`
  mutation screensSetX402Mutation($input: SetX402EnabledInput!) {
    setX402Enabled(input: $input) {
      ... on SetX402EnabledSuccess {
        account {
          x402Enabled
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`;

export const tokens = graphql`
  query screensTokensQuery($first: Int!, $after: String) {
    viewer {
      apiTokens(first: $first, after: $after) @connection(key: "screens_apiTokens") {
        edges {
          node {
            name
          }
        }
      }
    }
  }
`;

export const webhooks = graphql`
  query screensWebhooksQuery {
    viewer {
      id
      webhooks(first: 10) @connection(key: "screens_webhooks") {
        edges {
          node {
            id
            url
          }
        }
      }
    }
  }
`;

export const createWebhook = graphql`
  mutation screensCreateWebhookMutation($input: CreateWebhookInput!, $connections: [ID!]!) {
    createWebhook(input: $input) {
      ... on CreateWebhookSuccess {
        webhook @appendNode(connections: $connections, edgeTypeName: "WebhookEdge") {
          id
          url
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`;

export const deleteWebhook = graphql`
  mutation screensDeleteWebhookMutation($input: DeleteWebhookInput!) {
    deleteWebhook(input: $input) {
      ... on DeleteWebhookSuccess {
        deletedId @deleteRecord
      }
      ... on Error {
        code
        message
      }
    }
  }
`;
