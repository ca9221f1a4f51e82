/** Every example, run by the command in its comment against the service and its sandbox. */
import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { signLoginToken } from "../../src/accounts/login-token.ts";
import { refreshCredentials } from "../../src/agents/credentials/refresh.ts";
import { ensureAgent } from "../../src/agents/ensure-agent.ts";
import { createSandboxFile } from "../../src/app/dev/demo-account.ts";
import { publishOrder } from "../../src/checkout/orders/order-events.ts";
import { transitionOrder } from "../../src/checkout/orders/states.ts";
import { addOrder } from "../checkout/orders/order-rows.ts";
import { openBrowserUser } from "../cli/cli-harness.ts";
import { activateAgent, createMailbox, storeMessage } from "../mail/fixtures.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { type Child, EXAMPLES, startExample } from "./child.ts";
import { startInterruptibleProxy } from "./interruptible-proxy.ts";

const WEATHER = /\{"place":"Porto",/;
const PAYMENT_ID = /tx_\w+/;

let stack: Stack;
let account: TestAccount;
let sandbox: object;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  if (!stack.sandbox) throw new Error("The shared stack has no sandbox.");
  const { deps } = stack.service;
  const wallet = await deps.wallets.ofAccount(account.accountId);
  const { token: loginToken } = await signLoginToken(deps, account.accountId, { lifetimeSeconds: 300 });
  sandbox = createSandboxFile(
    deps,
    { accountId: account.accountId, email: "demo@satchel.example", apiToken: account.token, wallet },
    stack.sandbox,
    { agentMailDomain: "agents.example", incomingMail: null },
    { adminToken: undefined, loginToken },
  );
});

function start(name: string, env: Record<string, string> = {}): Child {
  const child = startExample(name, sandbox, env);
  onTestFinished(() => child.kill());
  return child;
}

/** Runs it to its end. @returns its output, of a run that succeeded */
async function run(name: string): Promise<string> {
  const child = start(name);
  expect([await child.ended, child.output()]).toEqual([0, child.output()]);
  return child.output();
}

const expectOutput = (child: Child, text: string | RegExp) => expect.poll(child.output).toMatch(text);

const TESTS: Readonly<Record<string, () => Promise<void>>> = {
  "pay-over-rest.ts": async () => {
    const output = await run("pay-over-rest.ts");
    expect(output).toMatch(/^Paid 0\.01 USD: tx_/);
    expect(output).toMatch(WEATHER);
    const [id] = PAYMENT_ID.exec(output) ?? [];
    const paid = await stack.service.deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: String(id) } });
    expect(paid.accountId).toBe(account.accountId);
  },

  "pay-over-graphql.ts": async () => {
    const output = await run("pay-over-graphql.ts");
    expect(output).toMatch(/^Signed 0\.01 USD on base-sepolia: tx_/);
    expect(output).toMatch(/^200 \{"place":"Porto",/m);
  },

  "one-time-purchase.ts": async () => {
    const output = await run("one-time-purchase.ts");
    expect(output).toMatch(/^First purchase: 200, 0\.01 USD$/m);
    expect(output).toMatch(WEATHER);
    expect(output).toMatch(/^Repeated: 200$/m);
    expect(output).toMatch(/^Second purchase: 401 purchase_token_used$/m);
  },

  "chat.ts": async () => {
    const reply = "You said: Where does everything belong?";
    expect((await run("chat.ts")).split("\n")).toEqual([reply, "Cost: 0.002 USD", reply, ""]);
  },

  "receive-webhook.ts": async () => {
    expect(await run("receive-webhook.ts")).toMatch(/^webhook\.test \{/);
    const remaining = await stack.rest(account.token, "GET", "/api/webhooks");
    expect(remaining.json.webhooks).toEqual([]);
  },

  "sign-in-with-oauth.ts": async () => {
    const person = await openBrowserUser(stack, account.accountId);
    const child = start("sign-in-with-oauth.ts");
    await expectOutput(child, /^Open \S+\n/);
    const [, authorizationUrl = ""] = /^Open (\S+)/.exec(child.output()) ?? [];
    await person.decide(authorizationUrl, true);
    expect([await child.ended, child.output()]).toEqual([0, child.output()]);
    expect(child.output()).toMatch(/^Granted payments:sign balance:read for \d+ seconds$/m);
    expect(child.output()).toContain("usdcBalance: ");
    expect(child.output()).toMatch(/Refreshed and revoked\n$/);
  },

  "reply-to-mail.ts": async () => {
    const mailbox = await createMailbox(stack, account);
    const message = await storeMessage(stack, mailbox, { fromAddress: stack.sandbox?.correspondent ?? "" });
    await storeMessage(stack, mailbox, { automated: "auto_reply" });
    const output = await run("reply-to-mail.ts");
    expect(output).toBe(`Mailbox ${mailbox.address}\nReplied to ${message.fromAddress}: An order\n`);
    const replies = await stack.service.deps.db.prisma.mailMessage.findMany({
      where: { mailboxId: mailbox.id, direction: "outbound" },
    });
    expect(replies.map(({ inReplyTo }) => inReplyTo)).toEqual([message.messageIdHeader]);
  },

  "follow-orders.ts": async () => {
    const { db, pubsub } = stack.service.deps;
    const order = await addOrder(db, account.accountId, { status: "dispatched", submittedAt: new Date() });
    const proxy = await startInterruptibleProxy(stack.baseUrl);
    onTestFinished(() => proxy.close());
    const child = start("follow-orders.ts", { SATCHEL_URL: proxy.url, SATCHEL_TOKEN: account.token });
    // Published until the subscription exists.
    const seen = () => {
      publishOrder(pubsub, order);
      return child.output();
    };
    await expect.poll(seen).toContain(`${order.id} DISPATCHED 28.95 GBP`);
    proxy.cut();
    await expectOutput(child, /^Interrupted: /m);
    const transitioned = await transitionOrder(db.prisma, order.id, "confirmed");
    expect(transitioned?.status).toBe("succeeded");
    proxy.restore();
    await expectOutput(child, `${order.id} SUCCEEDED 28.95 GBP`);
  },

  "verify-credential.ts": async () => {
    const { deps } = stack.service;
    const holder = await stack.account();
    await ensureAgent(deps, holder.accountId);
    const { id, agentId } = await activateAgent(stack, holder);
    await refreshCredentials(deps, id);
    const child = startExample("verify-credential.ts", { ...sandbox, apiToken: holder.token });
    expect([await child.ended, child.output()]).toEqual([0, child.output()]);
    expect(child.output()).toContain(`agent_id: ${agentId}`);
    expect(child.output()).toMatch(/trust_score: \d+/);
  },
};

it("every example has a test", () => {
  const examples = readdirSync(EXAMPLES).filter((name) => name !== "README.md");
  expect(Object.keys(TESTS).toSorted()).toEqual(examples.toSorted());
});

describe("an example behaves as its comment states", () => {
  it.each(Object.entries(TESTS))("%s", (_name, test) => test());
});
