/** Operations on applications over GraphQL, as the dashboard sends them. */
import { beginSession } from "../../src/accounts/sessions.ts";
import { ADMIN_TOKEN, type Stack } from "../support/stack.ts";

export const CLIENT = `id clientId kind status statusReason statusChangedAt updatedAt
  responsible { fullName phone country address } app { appName supportEmail contactEmails }
  javascriptOrigins redirectUris requireSecretOnRefresh strictScopes accessTokenLifetimeSeconds secretHint secretCreatedAt createdAt
  reviews(first: 100) { edges { node { fromStatus toStatus reason } } }`;

const ERRORS = `... on Error { code message } ... on InvalidRequestError { field }`;

export const STEPS = {
  kind: "CONFIDENTIAL",
  responsible: {
    fullName: "Ada Lovelace",
    phone: "+44 20 7946 0958",
    country: "GB",
    address: "12 St James's Square\nLondon",
  },
  app: {
    appName: "Tide Pool",
    supportEmail: "help@tide.example",
    contactEmails: ["ada@tide.example", "ops@tide.example"],
  },
  oauth: {
    javascriptOrigins: ["https://tide.example"],
    redirectUris: ["https://tide.example/callback", "http://localhost:3000/callback"],
    acceptTerms: true,
  },
};

// biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
type Result = any;

export interface ClientsApi {
  query(token: string | null, query: string, variables?: object, headers?: Record<string, string>): Promise<Result>;
  /** Returns the result of `registerOAuthClient` with {@link STEPS}, overridden by `changes`. */
  register(token: string | null, changes?: object): Promise<Result>;
  update(token: string | null, input: object): Promise<Result>;
  rotate(token: string | null, id: string, overlapHours?: number): Promise<Result>;
  /** Reviews an application, by default as the operator. */
  review(input: object, token?: string | null, headers?: Record<string, string>): Promise<Result>;
  read(token: string | null, id: string): Promise<Result>;
  /** Creates a session of the account and returns its cookie header. */
  browser(accountId: string): Promise<{ cookie: string }>;
}

/** Returns the client with its reviews as a list. */
const listReviews = (client: Result) =>
  client && { ...client, reviews: client.reviews.edges.map(({ node }: { node: object }) => node) };

export function createClientsApi(stack: Stack): ClientsApi {
  const runQuery: ClientsApi["query"] = async (token, query, variables = {}, headers = {}) =>
    (await stack.graphql(token, query, variables, headers)).json;
  const mutate = async (name: string, fields: string, token: string | null, input: object, headers = {}) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename ... on ${type}Success { ${fields} } ${ERRORS}
      ${name === "updateOAuthClient" ? "... on LockedFieldError { field }" : ""}
      ${name === "reviewOAuthClient" ? "... on InvalidTransitionError { from to }" : ""} } }`;
    const { data, errors } = await runQuery(token, query, { input }, headers);
    const result = data?.[name];
    if (!result) return { errors };
    return result.client ? { ...result, client: listReviews(result.client) } : result;
  };
  return {
    query: runQuery,
    register: (token, changes = {}) =>
      mutate("registerOAuthClient", `secret client { ${CLIENT} }`, token, { ...STEPS, ...changes }),
    update: (token, input) => mutate("updateOAuthClient", `client { ${CLIENT} }`, token, input),
    rotate: (token, id, overlapHours) =>
      mutate("rotateOAuthClientSecret", `secret client { ${CLIENT} secrets { hint expiresAt } }`, token, {
        id,
        overlapHours,
      }),
    review: (input, token = ADMIN_TOKEN, headers = {}) =>
      mutate("reviewOAuthClient", `client { ${CLIENT} }`, token, input, headers),
    read: async (token, id) =>
      listReviews(
        (await runQuery(token, `query ($id: ID!) { oauthClient(id: $id) { ${CLIENT} } }`, { id })).data?.oauthClient,
      ),
    async browser(accountId) {
      const { db, pubsub } = stack.service.deps;
      const proof = { accountId, method: "email_code" } as const;
      const secret = await beginSession({ db, pubsub }, proof, { ip: null, userAgent: null });
      return { cookie: `satchel_session=${secret}` };
    },
  };
}
