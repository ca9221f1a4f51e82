/** Daily limit of registrations: accounts are free, so the treasury pays only for a limited number of agents a day. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OwnStack, startStack } from "../support/stack.ts";

let stack: OwnStack;

beforeEach(async () => {
  stack = await startStack({ networks: ["base-sepolia"], env: { AGENT_REGISTRATIONS_PER_DAY: "2" } });
});
afterEach(() => stack?.stop());

it("registers agents up to the daily limit, and the others after a day", async () => {
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
