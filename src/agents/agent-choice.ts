import type { AgentChoice, AgentDeps } from "./deps.ts";

/** Returns what the account owner has chosen about the public agent, or the defaults. */
export async function readAgentChoice(
  { db, agents }: Pick<AgentDeps, "db" | "agents">,
  accountId: string,
): Promise<AgentChoice> {
  const { defaults } = agents;
  const select = { wantsAgent: true, publishesMailbox: true, publishesWallet: true } as const;
  const account = await db.prisma.account.findUniqueOrThrow({ where: { id: accountId }, select });
  return {
    wantsAgent: account.wantsAgent ?? defaults.wantsAgent,
    publishesMailbox: account.publishesMailbox ?? defaults.publishesMailbox,
    publishesWallet: account.publishesWallet ?? defaults.publishesWallet,
  };
}
