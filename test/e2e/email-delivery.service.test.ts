import { beforeAll, expect, it, vi } from "vitest";
import { type Stack, sharedStack } from "../support/stack.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
});

it("delivers sent and queued emails to the sandbox", async () => {
  const { mailer, queueEmail } = stack.service.deps;
  const to = "ada@example.com";
  expect(mailer.isConfigured).toBe(true);
  await mailer.send({ to, subject: "Your code", text: "It is 481516." });
  await queueEmail({ to, subject: "Notice", text: "Something changed." });
  await vi.waitFor(
    async () => expect((await readMailbox()).map(({ subject }) => subject)).toEqual(["Notice", "Your code"]),
    {
      timeout: 20_000,
      interval: 50,
    },
  );
  expect((await readMailbox())[0]?.from).toBe('"Satchel" <no-reply@satchel.localhost>');

  async function readMailbox(): Promise<{ subject: string; from: string }[]> {
    const response = await fetch(`${stack.sandbox?.mailUrl}/messages?to=${to}`);
    return ((await response.json()) as { messages: { subject: string; from: string }[] }).messages;
  }
});
