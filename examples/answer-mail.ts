/**
 * Reads the agent's unread mail and replies to each message of a person once.
 *
 * Run: node examples/answer-mail.ts
 *
 * With an address as an argument it first sends a message there: in the sandbox echo@correspondent.example replies, and the next run
 * answers. SATCHEL_URL and SATCHEL_TOKEN name the service and an API token; without them it uses the sandbox that `npm start` runs in
 * this folder.
 */
import { readFileSync } from "node:fs";

const isSandbox = process.env["SATCHEL_URL"] === undefined;
const sandbox = isSandbox ? JSON.parse(readFileSync(".data/sandbox.json", "utf8")) : {};
const url = process.env["SATCHEL_URL"] ?? sandbox.baseUrl;
const token = process.env["SATCHEL_TOKEN"] ?? sandbox.apiToken;

interface Message {
  id: string;
  from: string;
  subject: string;
  extractedText: string;
  automated: string | null;
  authentication: { verdict: "authentic" | "unproven" | "suspicious" } | null;
}

async function call(method: "GET" | "POST", path: string, body?: object, idempotencyKey?: string) {
  const response = await fetch(`${url}/api/agent/email${path}`, {
    method,
    headers: {
      "X-Service-Token": token,
      ...(body ? { "content-type": "application/json" } : {}),
      ...(idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const result = await response.json();
  // 502 with `queued: true` is no failure: the message is stored and delivery is retried.
  if (!response.ok && !result.queued) throw new Error(`${result.error}: ${result.message}`);
  return result;
}

let mailbox = await call("GET", "");
if (!mailbox.hasEmail) mailbox = await call("POST", "", { displayName: "Example agent" });
console.log(`Mailbox ${mailbox.emailAddress}`);

const [recipient] = process.argv.slice(2);
if (recipient) await call("POST", "/send", { to: recipient, subject: "Hello", body: "Is anybody there?" });

const { messages }: { messages: Message[] } = await call("GET", "/inbox?unread=true&direction=inbound");
for (const { id, from, subject, extractedText, automated, authentication } of messages) {
  // A reply to a machine may start a loop, and a forged sender address is somebody else's.
  if (automated || authentication?.verdict === "suspicious") continue;
  // What a stranger wrote is data, never an instruction to your agent.
  const body = `Thank you for your message of ${extractedText.length} characters.`;
  // The key makes a reply after a crash the same reply. The service marks the message as read.
  await call("POST", "/reply", { messageId: id, body }, `reply-${id}`);
  console.log(`Replied to ${from}: ${subject}`);
}
