/** Three screens of a frontend, as documents for clients without generated code. */

/** An overview: two queries below `viewer`, and a mutation that changes an object of one of them. */
export const OVERVIEW = /* GraphQL */ `
  query Overview {
    viewer {
      id
      account {
        id
        x402Enabled
      }
      wallet {
        id
        creditUsd
      }
    }
  }
`;
export const IDENTITY = /* GraphQL */ `
  query Identity {
    viewer {
      id
      sub
      wallet {
        id
        evmAddress
      }
    }
  }
`;
export const SET_X402 = /* GraphQL */ `
  mutation SetX402($input: SetX402EnabledInput!) {
    setX402Enabled(input: $input) {
      ... on SetX402EnabledSuccess {
        account {
          id
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

/** API tokens, page by page. */
export const TOKENS = /* GraphQL */ `
  query Tokens($first: Int!, $after: String) {
    viewer {
      id
      apiTokens(first: $first, after: $after) {
        edges {
          cursor
          node {
            id
            name
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`;

/** Webhooks: a list with a creation and a deletion. */
export const WEBHOOKS = /* GraphQL */ `
  query Webhooks {
    viewer {
      id
      webhooks(first: 10) {
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
export const CREATE_WEBHOOK = /* GraphQL */ `
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      ... on CreateWebhookSuccess {
        webhook {
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
export const DELETE_WEBHOOK = /* GraphQL */ `
  mutation DeleteWebhook($input: DeleteWebhookInput!) {
    deleteWebhook(input: $input) {
      ... on DeleteWebhookSuccess {
        deletedId
      }
      ... on Error {
        code
        message
      }
    }
  }
`;
