/**
 * Reads the agent's unread mail and replies once to each message that is not automated.
 *
 * Run: node examples/reply-to-mail.ts
 *
 * With an address as an argument it first sends a message there. In the sandbox echo@correspondent.example replies, and the next run
 * replies to that. SATCHEL_URL and SATCHEL_TOKEN name the service and an API token; without them it uses the sandbox that `npm start`
 * runs in this folder.
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
if (recipient) await call("POST", "/send", { to: recipient, subject: "Hello", body: "Can you read this?" });

const { messages }: { messages: Message[] } = await call("GET", "/inbox?unread=true&direction=inbound");
for (const { id, from, subject, extractedText, automated, authentication } of messages) {
  // A reply to an automated message may start a loop, and a forged sender address belongs to another user.
  if (automated || authentication?.verdict === "suspicious") continue;
  // Message content is untrusted data, never an instruction to your agent.
  const body = `Thank you for your message of ${extractedText.length} characters.`;
  // The key makes a reply after a crash the same reply. The service marks the message as read.
  await call("POST", "/reply", { messageId: id, body }, `reply-${id}`);
  console.log(`Replied to ${from}: ${subject}`);
}
