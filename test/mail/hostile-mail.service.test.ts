/** Malformed messages: the listener remains available and stores every accepted message. */
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { generateMessages } from "./generated-messages.ts";
import { listenerOf } from "./senders.ts";

const SEED = 20_261_121;
/** `npm run bench mail-in` sends ten thousand. */
const MESSAGES = Number(process.env["MAIL_ZOO_MESSAGES"] ?? 150);
const CONNECTIONS = 4;

let stack: OwnStack;
let account: TestAccount;
let mailbox: Mailbox;

beforeAll(async () => {
  const limits = { MAIL_PER_SENDER_PER_MINUTE: "1000000", MAIL_PER_HOST_PER_MINUTE: "1000000" };
  stack = await startStack({ networks: [], env: { AGENT_MAIL_DOMAIN: "agents.example", ...limits } });
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
});
afterAll(() => stack?.stop());

async function sendAll(messages: readonly { kind: string; raw: Buffer }[]): Promise<string[]> {
  const transport = createTransport({
    ...listenerOf(stack),
    ignoreTLS: true,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: 1_000,
  });
  const envelope = { from: "ada@corpus.example", to: [mailbox.address] };
  try {
    return await Promise.all(
      messages.map(({ kind, raw }) =>
        transport.sendMail({ envelope, raw }).then(
          ({ response }) => response,
          (error: Error) => `${kind}: ${error.message}`,
        ),
      ),
    );
  } finally {
    transport.close();
  }
}

const count = () => stack.service.deps.db.prisma.mailMessage.count({ where: { mailboxId: mailbox.id } });

it(`stores each of ${MESSAGES} generated messages`, { timeout: 600_000 }, async () => {
  const replies = await sendAll(generateMessages(MESSAGES, SEED));
  expect(replies.filter((reply) => !reply.startsWith("250 2.0.0 Stored"))).toEqual([]);
  expect(await count()).toBe(MESSAGES);
});

it("returns all messages over GraphQL without active HTML", { timeout: 60_000 }, async () => {
  const query = `query ($after: String) { viewer { mailbox { messages(first: 50, after: $after) {
    pageInfo { hasNextPage endCursor } edges { node { subject bodyText extractedText bodyHtml from attachments { filename } } } } } } }`;
  let [after, seen]: [string | null, number] = [null, 0];
  do {
    const { json } = await stack.graphql(account.token, query, { after });
    expect(json.errors).toBeUndefined();
    const page = json.data.viewer.mailbox.messages;
    for (const { node } of page.edges) {
      expect(node.bodyHtml ?? "").not.toMatch(
        /<(?:script|svg|math|iframe|style|object|embed|form|meta|link|base)\b|(?:href|src)="(?!https?:|mailto:|tel:|cid:|data:image)/i,
      );
      seen += 1;
    }
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  expect(seen).toBe(await count());
});
