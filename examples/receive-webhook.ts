/**
 * Receives events as signed webhooks: creates a webhook, requests a test event, verifies its signature and deletes the webhook.
 *
 * Run: node examples/receive-webhook.ts
 *
 * SATCHEL_URL and SATCHEL_TOKEN name the service and an API token with the scope account:manage. Without them it uses the sandbox
 * that `npm start` runs in this folder. PUBLIC_URL is the https URL under which the service reaches port PORT; the sandbox
 * also delivers to this machine.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

const isSandbox = process.env["SATCHEL_URL"] === undefined;
const sandbox = isSandbox ? JSON.parse(readFileSync(".data/sandbox.json", "utf8")) : {};
const url = process.env["SATCHEL_URL"] ?? sandbox.baseUrl;
const token = process.env["SATCHEL_TOKEN"] ?? sandbox.apiToken;

async function graphql(query: string, variables: object) {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  const [result] = Object.values<{ code?: string; message?: string }>(data);
  if (result?.code) throw new Error(`${result.code}: ${result.message}`);
  return data;
}

let secret = "";
const processed = new Set<string>(); // In your program: a unique column in the database.

const server = createServer(async (request, response) => {
  // The signature covers the body's bytes: verify them before parsing.
  const body = Buffer.concat(await request.toArray()).toString();
  try {
    new Webhook(secret).verify(body, request.headers as Record<string, string>);
  } catch {
    response.writeHead(400).end();
    return;
  }
  response.writeHead(204).end();
  const event = JSON.parse(body) as { id: string; type: string; data: object };
  // Delivery is at least once: the same id is the same event.
  if (processed.has(event.id)) return;
  processed.add(event.id);
  console.log(event.type, event.data);
  server.emit("event");
});
server.listen(Number(process.env["PORT"] ?? 0));
await once(server, "listening");
const publicUrl = process.env["PUBLIC_URL"] ?? `http://localhost:${(server.address() as AddressInfo).port}/`;

const CREATE = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) {
  ... on CreateWebhookSuccess { secret webhook { id } } ... on Error { code message } } }`;
const TEST =
  "mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { ... on Error { code message } } }";
const DELETE =
  "mutation ($input: DeleteWebhookInput!) { deleteWebhook(input: $input) { ... on Error { code message } } }";

const { createWebhook } = await graphql(CREATE, { input: { url: publicUrl } });
secret = createWebhook.secret; // Shown once: store it.
await Promise.all([once(server, "event"), graphql(TEST, { input: { webhookId: createWebhook.webhook.id } })]);
await graphql(DELETE, { input: { id: createWebhook.webhook.id } });
server.close();
