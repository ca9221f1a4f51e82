/** Agents that are registered, without a chain; and what shows their credentials. */
import { expect } from "vitest";
import { refreshCredentials } from "../../src/agents/credentials/refresh.ts";
import { ensureAgent } from "../../src/agents/ensure-agent.ts";
import type { Stack, TestAccount } from "../support/stack.ts";

export interface TestAgent extends TestAccount {
  /** `agt_…` */
  readonly agentRecordId: string;
}

export interface Shown {
  readonly presentation: string;
  readonly disclosed: readonly string[];
}

export interface CredentialRoom {
  /** An account whose agent is registered, under the next number from 0 on; its credentials follow by themselves. */
  agent(token?: object): Promise<TestAgent>;
  /** The same, with its credentials. */
  holder(token?: object): Promise<TestAgent>;
  refresh(agent: TestAgent): Promise<void>;
  credential(agent: TestAgent): Promise<{ trustCredential: string; delegationCredential: string; expiresAt: string }>;
  present(agent: TestAgent, input: object): Promise<Shown>;
}

const PRESENT = `mutation Present($input: PresentAgentCredentialInput!) {
  presentAgentCredential(input: $input) {
    __typename
    ... on PresentAgentCredentialSuccess { presentation disclosed credential { credentialId } }
    ... on Error { code message }
    ... on InvalidRequestError { field }
  }
}`;

export async function present(stack: Stack, token: string | null, input: object) {
  const { json } = await stack.graphql(token, PRESENT, { input });
  return json.data?.presentAgentCredential ?? json;
}

export function credentialRoom(stack: () => Stack): CredentialRoom {
  let registered = 0;
  const room: CredentialRoom = {
    async agent(token = {}) {
      const { deps } = stack().service;
      const account = await stack().account({ token });
      await ensureAgent(deps, account.accountId);
      const now = new Date();
      const { id } = await deps.db.prisma.agent.update({
        where: { accountId: account.accountId },
        data: {
          status: "active",
          agentId: registered++,
          isWalletLinked: true,
          registeredAt: now,
          nextCheckAt: null,
          credentialsDueAt: now,
        },
      });
      return { ...account, agentRecordId: id };
    },
    async holder(token) {
      const agent = await room.agent(token);
      await room.refresh(agent);
      return agent;
    },
    refresh: ({ agentRecordId }) => refreshCredentials(stack().service.deps, agentRecordId),
    async credential({ token }) {
      const { json } = await stack().rest(token, "GET", "/api/agent/credential");
      return json;
    },
    async present({ token }, input) {
      const shown = await present(stack(), token, input);
      expect(shown).toMatchObject({ __typename: "PresentAgentCredentialSuccess" });
      return shown;
    },
  };
  return room;
}
