/**
 * Pays for a resource in a direct request: reads the 402 response, requests a signed payment over GraphQL, and sends it.
 *
 * Run: node examples/pay-over-graphql.ts
 *
 * An argument is the resource's URL. SATCHEL_URL and SATCHEL_TOKEN name the service and an API token; without them it uses the
 * sandbox that `npm start` runs in this folder.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

const isSandbox = process.env["SATCHEL_URL"] === undefined;
const sandbox = isSandbox ? JSON.parse(readFileSync(".data/sandbox.json", "utf8")) : {};
const url = process.env["SATCHEL_URL"] ?? sandbox.baseUrl;
const token = process.env["SATCHEL_TOKEN"] ?? sandbox.apiToken;
const resource = process.argv[2] ?? `${sandbox.shopUrl}/v1/weather`;

const SIGN = `mutation Sign($input: SignPaymentInput!) {
  signPayment(input: $input) {
    __typename
    ... on SignPaymentSuccess { headerName paymentHeader amountPaidUsd network transactionId }
    ... on Error { code message }
    ... on SpendingLimitExceededError { limitUsd remainingUsd requiredUsd }
  }
}`;

async function graphql(query: string, variables: object) {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(`${errors[0].extensions?.code}: ${errors[0].message}`);
  return data;
}

const offer = await fetch(resource);
if (offer.status !== 402) throw new Error(`${resource} responded ${offer.status}: there is nothing to pay.`);
// X402 version 2 states its offers in a header, version 1 in the body.
const header = offer.headers.get("payment-required");
const { signPayment: signed } = await graphql(SIGN, {
  input: {
    paymentRequirements: header ? JSON.parse(atob(header)) : await offer.json(),
    requestData: { url: resource, method: "GET" },
    idempotencyKey: randomUUID(),
  },
});
if (signed.__typename !== "SignPaymentSuccess") {
  console.error(signed.code, signed.message);
  process.exit(1);
}
console.log(`Signed ${signed.amountPaidUsd} USD on ${signed.network}: ${signed.transactionId}`);

// Sending the same header again after a lost connection pays once.
const paid = await fetch(resource, { headers: { [signed.headerName]: signed.paymentHeader } });
console.log(paid.status, await paid.text());
