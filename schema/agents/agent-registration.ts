/** The account owner's choice about the public agent: what becomes public, before it does. */
import { readAgentChoice } from "../../src/agents/agent-choice.ts";
import { chooseAgent } from "../../src/agents/choose-agent.ts";
import type { AgentChoice } from "../../src/agents/deps.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { requireScopedAccountId } from "../owner.ts";
import { wireEnum } from "../wire-enum.ts";

type State = "disabled" | "waiting" | "pending" | "registered" | "withdrawn";

const AgentRegistrationState = wireEnum<State>("AgentRegistrationState", "The state of the agent's registration.", {
  disabled: "The registration is disabled, and nothing is on chain.",
  waiting: "The registration is enabled, and starts with the first API token or authorized application.",
  pending: "The agent is being registered.",
  registered: "The agent is registered on chain.",
  withdrawn:
    "The registration is disabled after it was sent to the chain. It remains there, and the agent's file is empty and inactive.",
});

interface AgentRegistration extends AgentChoice {
  readonly state: State;
}

const PUBLIC_FOR_EVER =
  "A registration writes to a public blockchain, for ever: the agent's number, the URL of its registration file, and the time. If the wallet is published, its address is linked there too. Anyone can then see which payments are the agent's.";
const PUBLIC_FILE =
  "The registration file is public while the registration is enabled. It contains the agent's name, and, if published, the mailbox's address and the wallet's address. Other parties can copy it.";
const AFTER_DISABLING =
  "After the registration is disabled, what is on the blockchain cannot be deleted. The file becomes empty and states that the agent is inactive, and the agent's credentials and mailbox stop working.";

const AgentRegistrationType = builder.objectRef<AgentRegistration>("AgentRegistration").implement({
  description: "The account owner's choice about the public agent, and its state.",
  fields: (t) => ({
    isEnabled: t.exposeBoolean("wantsAgent", { description: "Whether an agent is registered on chain." }),
    publishesMailbox: t.exposeBoolean("publishesMailbox", {
      description: "Whether the public registration file contains the mailbox's address and name.",
    }),
    publishesWallet: t.exposeBoolean("publishesWallet", {
      description:
        "Whether the public registration file contains the wallet's address, and the registry links it to the agent.",
    }),
    state: t.expose("state", { type: AgentRegistrationState, description: "The state of the registration." }),
    notices: t.stringList({
      description:
        "What becomes public, for how long, and what remains after the registration is disabled. Show it before enabling the registration.",
      resolve: () => [PUBLIC_FOR_EVER, PUBLIC_FILE, AFTER_DISABLING],
    }),
  }),
});

async function readRegistration({ deps }: Context, accountId: string): Promise<AgentRegistration> {
  const choice = await readAgentChoice(deps, accountId);
  const select = { agentId: true } as const;
  const agent = await deps.db.prisma.agent.findUnique({ where: { accountId }, select });
  if (!choice.wantsAgent) return { ...choice, state: agent ? "withdrawn" : "disabled" };
  if (!agent) return { ...choice, state: "waiting" };
  return { ...choice, state: agent.agentId === null ? "pending" : "registered" };
}

builder.objectField(ViewerType, "agentRegistration", (t) =>
  t.field({
    type: AgentRegistrationType,
    description:
      "The account owner's choice about the public agent. It states the reason if `agent` is null. Requires the scope `agent:read`.",
    resolve: (_viewer, _args, context) => readRegistration(context, requireScopedAccountId(context, "agent:read")),
  }),
);

const SetAgentRegistrationInput = builder.inputType("SetAgentRegistrationInput", {
  description: "The choice about the public agent.",
  fields: (t) => ({
    enabled: t.boolean({ required: true, description: "Whether to register an agent on chain, which is permanent." }),
    publishesMailbox: t.boolean({
      description: "Whether the public registration file contains the mailbox's address and name. Default: unchanged.",
    }),
    publishesWallet: t.boolean({
      description:
        "Whether the file contains the wallet's address and the registry links it, which is permanent. Default: unchanged.",
    }),
  }),
});

const SetAgentRegistrationSuccess = builder.objectRef<{ accountId: string }>("SetAgentRegistrationSuccess").implement({
  description: "The choice is stored.",
  fields: (t) => ({
    registration: t.field({
      type: AgentRegistrationType,
      description: "The choice and the state.",
      resolve: ({ accountId }, _args, context) => readRegistration(context, accountId),
    }),
  }),
});

builder.mutationField("setAgentRegistration", (t) =>
  t.field({
    type: SetAgentRegistrationSuccess,
    description:
      "Enables or disables the registration of the account's agent on chain, and chooses what its public file contains. `AgentRegistration.notices` states what becomes public. Disabling prevents a registration that has not begun. Otherwise it revokes the agent and empties its file; the registration remains on chain. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "SetAgentRegistrationResult", description: "The choice, or the error that prevented the change." },
    },
    args: { input: t.arg({ type: SetAgentRegistrationInput, required: true, description: "The choice." }) },
    resolve: (_root, { input }, { deps, viewer }) =>
      chooseAgent(deps, viewer, {
        wantsAgent: input.enabled,
        publishesMailbox: input.publishesMailbox ?? null,
        publishesWallet: input.publishesWallet ?? null,
      }),
  }),
);
