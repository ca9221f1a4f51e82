/** An account owner, signed in with a passkey in a browser of their own. */
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { type Authenticator, createAuthenticator } from "../support/authenticator.ts";
import { type BrowserClient, createBrowserClient } from "../support/browser-client.ts";

export interface AccountOwner {
  readonly visitor: BrowserClient;
  readonly device: Authenticator;
  readonly accountId: string;
  /** API token of the owner's agent. */
  readonly token: string;
  readonly tokenId: string;
}

const START = `mutation { startPasskeySignUp(input: { displayName: "Ada" }) {
  ... on StartPasskeyRegistrationSuccess { attemptId options } } }`;
const COMPLETE = `mutation ($input: CompletePasskeySignUpInput!) { completePasskeySignUp(input: $input) {
  ... on SignInSuccess { viewer { account { accountId } } } } }`;
const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };

export async function openAccountOwner(stack: {
  readonly baseUrl: string;
  readonly service: { readonly deps: { readonly db: Database } };
}): Promise<AccountOwner> {
  const visitor = createBrowserClient(stack.baseUrl);
  const device = createAuthenticator(`http://localhost:${new URL(stack.baseUrl).port}`);
  const { attemptId, options } = (await visitor.graphql(START)).startPasskeySignUp;
  const input = { attemptId, response: device.create(options), name: "Laptop" };
  const { accountId } = (await visitor.graphql(COMPLETE, { input })).completePasskeySignUp.viewer.account;
  const apiToken = await storeApiToken(stack.service.deps.db, accountId, {
    name: "agent",
    limits: NO_LIMITS,
    scopes: SCOPES,
    networks: [],
    allowedHosts: [],
    allowedPayees: [],
    expiresAt: null,
  });
  return { visitor, device, accountId, token: apiToken.secret, tokenId: apiToken.token.id };
}

export const HOME = {
  firstName: "Ada",
  lastName: "Lovelace",
  address1: "12 St James's Square",
  city: "London",
  postalCode: "SW1Y 4JH",
  countryCode: "GB",
};

export const NEXT_YEAR = new Date().getUTCFullYear() + 1;
export const VISA = {
  number: "4242 4242-4242 4242",
  expMonth: 4,
  expYear: NEXT_YEAR,
  securityCode: "739",
  cardholderName: "Ada Lovelace",
  billingAddress: HOME,
};

const ADD = `mutation ($input: AddCardInput!) { addCard(input: $input) { __typename
  ... on AddCardSuccess { card { id cardId brand last4 isDefault hasSecurityCode status nickname billingAddress { postalCode company } } }
  ... on Error { code message } ... on InvalidRequestError { field } } }`;

export async function addCard({ visitor }: Pick<AccountOwner, "visitor">, card: object = {}) {
  return (await visitor.graphql(ADD, { input: { ...VISA, ...card } })).addCard;
}
