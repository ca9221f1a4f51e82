/** Fixture of registered agents without a chain, with helpers to refresh and present their credentials. */
import { expect } from "vitest";
import { refreshCredentials } from "../../src/agents/credentials/refresh.ts";
import { ensureAgent } from "../../src/agents/ensure-agent.ts";
import type { Stack, TestAccount } from "../support/stack.ts";

export interface TestAgent extends TestAccount {
  /** `agt_…` */
  readonly agentRecordId: string;
}

export interface TestPresentation {
  readonly presentation: string;
  readonly disclosed: readonly string[];
}

export interface CredentialFixture {
  /** Creates an account with a registered agent. Agent ids start at 0. The job issues the credentials. */
  createAgent(token?: object): Promise<TestAgent>;
  /** Creates an account with a registered agent and issues its credentials. */
  createAgentWithCredentials(token?: object): Promise<TestAgent>;
  refresh(agent: TestAgent): Promise<void>;
  getCredentials(
    agent: TestAgent,
  ): Promise<{ trustCredential: string; delegationCredential: string; expiresAt: string }>;
  present(agent: TestAgent, input: object): Promise<TestPresentation>;
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

export function createCredentialFixture(stack: () => Stack): CredentialFixture {
  let registeredCount = 0;
  const fixture: CredentialFixture = {
    async createAgent(token = {}) {
      const { deps } = stack().service;
      const account = await stack().account({ token });
      await ensureAgent(deps, account.accountId);
      const now = new Date();
      const agentId = registeredCount++;
      // Another file of the same worker may have registered an agent with this id.
      await deps.db.prisma.agent.updateMany({ where: { agentId }, data: { agentId: null } });
      const { id } = await deps.db.prisma.agent.update({
        where: { accountId: account.accountId },
        data: {
          status: "active",
          agentId,
          isWalletLinked: true,
          registeredAt: now,
          nextCheckAt: null,
          credentialsDueAt: now,
        },
      });
      return { ...account, agentRecordId: id };
    },
    async createAgentWithCredentials(token) {
      const agent = await fixture.createAgent(token);
      await fixture.refresh(agent);
      return agent;
    },
    refresh: ({ agentRecordId }) => refreshCredentials(stack().service.deps, agentRecordId),
    async getCredentials({ token }) {
      const { json } = await stack().rest(token, "GET", "/api/agent/credential");
      return json;
    },
    async present({ token }, input) {
      const result = await present(stack(), token, input);
      expect(result).toMatchObject({ __typename: "PresentAgentCredentialSuccess" });
      return result;
    },
  };
  return fixture;
}
