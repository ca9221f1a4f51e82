/** Accounts cost nothing: however many are opened, the treasury pays for so many agents a day and no more. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OwnStack, startStack } from "../support/stack.ts";

let stack: OwnStack;

beforeEach(async () => {
  stack = await startStack({ networks: ["base-sepolia"], env: { AGENT_REGISTRATIONS_PER_DAY: "2" } });
});
afterEach(() => stack?.stop());

it("registers as many as the operator pays for, and the next once a day has passed", async () => {
  const { prisma } = stack.service.deps.db;
  const accounts = await Promise.all(Array.from({ length: 4 }, () => stack.account()));
  for (const { token } of accounts) {
    await stack.graphql(token, 'mutation { createApiToken(input: { name: "more" }) { __typename } }');
  }
  const statuses = async () => (await prisma.agent.findMany()).map(({ status }) => status).sort();
  await expect.poll(statuses).toEqual(["active", "active", "pending", "pending"]);
  const waiting = () =>
    prisma.agent.findMany({ where: { status: "pending", failureReason: { contains: "within a day" } } });
  await expect.poll(async () => (await waiting()).length).toBe(2);
  expect(await prisma.agentTransaction.groupBy({ by: ["agentId"], where: { purpose: "register" } })).toHaveLength(2);

  const dayAgo = new Date(Date.now() - 86_400_000);
  await prisma.agentTransaction.updateMany({ where: { purpose: "register" }, data: { createdAt: dayAgo } });
  await prisma.agent.updateMany({ where: { status: "pending" }, data: { nextCheckAt: new Date(0) } });
  await expect.poll(statuses).toEqual(["active", "active", "active", "active"]);
  expect((await prisma.agent.findMany()).map(({ failureReason }) => failureReason)).toEqual([null, null, null, null]);
});
