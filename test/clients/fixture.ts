/** An account with three API tokens for the tests of client libraries. */
import { expect } from "vitest";
import { type Stack, sharedStack } from "../support/stack.ts";

export const WEBHOOK_URL = "https://app.example/hooks";

// biome-ignore lint/suspicious/noExplicitAny: documents in strings have no types.
export type Data = any;

export interface Frontend {
  readonly url: string;
  readonly headers: { readonly "x-service-token": string };
}

export async function createFrontend(): Promise<Frontend> {
  const stack: Stack = await sharedStack();
  const { token } = await stack.account({ token: { scopes: ["account:manage", "balance:read"] } });
  for (const name of ["First", "Second"]) {
    const CREATE = `mutation ($name: String!) { createApiToken(input: { name: $name, scopes: [BALANCE_READ] }) { __typename ... on Error { message } } }`;
    const { json } = await stack.graphql(token, CREATE, { name });
    expect(json.data.createApiToken).toEqual({ __typename: "CreateApiTokenSuccess" });
  }
  return { url: `${stack.baseUrl}/graphql`, headers: { "x-service-token": token } };
}
