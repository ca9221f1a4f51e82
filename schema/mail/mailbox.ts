/** An agent's mailbox and its sender rules. `mailbox-contents.ts` has its messages and threads. */
import type { Mailbox, MailRule, Prisma } from "../../generated/prisma/client.ts";
import { createMailbox, NoActiveAgentError } from "../../src/mail/mailboxes.ts";
import { removeMailRule, setMailRule } from "../../src/mail/rules.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { AgentNode } from "../agents/agents.ts";
import { builder } from "../builder.ts";
import { resolveConnection } from "../connection.ts";
import { deletedPayload } from "../deleted.ts";
import { BOUNDED_ERRORS, createErrorOptions, INPUT_ERRORS } from "../errors.ts";
import { selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { NEWEST_FIRST, PAGES, prismaList } from "../paging.ts";
import { StorableText } from "../text.ts";
import { createVisibleFinder } from "../visible-finder.ts";
import { wireEnum } from "../wire-enum.ts";

builder.objectType(NoActiveAgentError, {
  name: "NoActiveAgentError",
  ...createErrorOptions("The account has no active agent: it is not registered yet, or it was revoked."),
});

const MailRuleAction = wireEnum("MailRuleAction", "The action of a mail rule.", {
  allow: "Accept mail from the sender. If any allow rule exists, mail from other senders is refused.",
  block: "Refuse mail from the sender. Takes precedence over allow rules.",
});

export const MailRuleNode = builder.prismaNode("MailRule", {
  id: { field: "id", description: "The rule's global id." },
  findUnique: createVisibleFinder((ids, context) =>
    context.deps.db.prisma.mailRule.findMany({
      select: { id: true },
      where: { id: { in: ids }, mailbox: { accountId: requireScopedAccountId(context, "email:read") } },
    }),
  ),
  nullable: true,
  description: "A rule that allows or blocks senders.",
  fields: (t) => ({
    action: t.field({
      type: MailRuleAction,
      description: "Whether the rule allows or blocks.",
      resolve: ({ action }) => action as "allow",
    }),
    pattern: t.exposeString("pattern", {
      description: "An address, or a domain that includes its subdomains. In lower case.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the rule was created." }),
  }),
});

const MailRuleFilter = builder.inputType("MailRuleFilter", {
  description: "Filter for sender rules.",
  fields: (t) => ({
    actions: t.field({ type: [MailRuleAction], description: "The actions of the rules. Default: both." }),
  }),
});

const AGENT = { agent: { select: { agentId: true, status: true } } } as const;

export const MailboxNode = builder.prismaNode("Mailbox", {
  id: { field: "id", description: "The mailbox's global id." },
  findUnique: (id, context) => ({ id, accountId: requireScopedAccountId(context, "email:read") }),
  nullable: true,
  description: "An agent's mailbox.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The email address." }),
    displayName: t.exposeString("displayName", { description: "The name in the From field of outgoing email." }),
    isActive: t.boolean({
      select: AGENT,
      description: "Whether the mailbox can receive and send. True while its agent is active.",
      resolve: ({ agent }) => agent.status === "active",
    }),
    agentId: t.int({
      nullable: true,
      select: AGENT,
      description: "The agent's id in the registry, starting at 0.",
      resolve: ({ agent }) => (agent.agentId === null ? null : Number(agent.agentId)),
    }),
    agent: t.prismaField({
      type: AgentNode,
      nullable: true,
      description: "The agent. Requires the scope `agent:read`.",
      resolve: (query, { agentId: id }, _args, context) =>
        context.deps.db.prisma.agent.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "agent:read") },
        }),
    }),
    walletAddress: t.string({
      description: "The EVM address of the agent's wallet.",
      resolve: async ({ accountId }, _args, { deps }) => (await deps.wallets.ofAccount(accountId)).evmAddress,
    }),
    rules: t.connection(
      {
        type: MailRuleNode,
        ...PAGES,
        description: "The sender rules, newest first. At most 500.",
        args: { filter: t.arg({ type: MailRuleFilter, description: "Filter for the rules. Default: all rules." }) },
        resolve: ({ id: mailboxId }, args, context, info) => {
          const { mailRule } = context.deps.db.prisma;
          const actions = selectedOf(args.filter?.actions);
          const rules = prismaList(
            { mailboxId },
            { mailboxId, ...(actions ? { action: { in: [...actions] } } : {}) },
            (query: Prisma.MailRuleFindManyArgs) => mailRule.findMany({ ...query, orderBy: NEWEST_FIRST }),
            (query) => mailRule.count(query),
          );
          return resolveConnection(args, context, info, rules);
        },
      },
      { name: "MailRuleConnection", description: "A page of sender rules." },
      { name: "MailRuleEdge", description: "A sender rule in a list." },
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the mailbox was created." }),
  }),
});

builder.objectField(ViewerType, "mailbox", (t) =>
  t.prismaField({
    type: MailboxNode,
    nullable: true,
    description: "The agent's mailbox. Null until one is created.",
    resolve: (query, _viewer, _args, context) =>
      context.deps.db.prisma.mailbox.findUnique({
        ...query,
        where: { accountId: requireScopedAccountId(context, "email:read") },
      }),
  }),
);

const CreateMailboxInput = builder.inputType("CreateMailboxInput", {
  description: "Input of `createMailbox`.",
  fields: (t) => ({
    displayName: t.string({
      validate: StorableText,
      description:
        "The name in the From field of outgoing email, 1 to 100 characters. Default: `Agent` followed by the agent's id.",
    }),
  }),
});

const CreateMailboxSuccess = builder.objectRef<{ mailbox: Mailbox }>("CreateMailboxSuccess").implement({
  description: "The mailbox exists.",
  fields: (t) => ({ mailbox: t.expose("mailbox", { type: MailboxNode, description: "The mailbox." }) }),
});

builder.mutationField("createMailbox", (t) =>
  t.field({
    type: CreateMailboxSuccess,
    description: "Creates the agent's mailbox. If the mailbox exists, updates its display name if one is given.",
    errors: {
      types: [...INPUT_ERRORS, NoActiveAgentError],
      union: { name: "CreateMailboxResult", description: "The mailbox, or an error." },
    },
    args: { input: t.arg({ type: CreateMailboxInput, required: true, description: "The mailbox to create." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      mailbox: await createMailbox(deps, viewer, { displayName: input.displayName ?? null }),
    }),
  }),
);

const SetMailRuleInput = builder.inputType("SetMailRuleInput", {
  description: "Input of `setMailRule`.",
  fields: (t) => ({
    action: t.field({ type: MailRuleAction, required: true, description: "Whether to allow or to block." }),
    pattern: t.string({
      required: true,
      validate: StorableText,
      description: "An address, or a domain that includes its subdomains. Case-insensitive.",
    }),
  }),
});

const SetMailRuleSuccess = builder.objectRef<{ rule: MailRule }>("SetMailRuleSuccess").implement({
  description: "The rule is in effect.",
  fields: (t) => ({ rule: t.expose("rule", { type: MailRuleNode, description: "The rule." }) }),
});

builder.mutationField("setMailRule", (t) =>
  t.field({
    type: SetMailRuleSuccess,
    description:
      "Allows or blocks a sender. Replaces an existing rule for the same pattern. A mailbox can have at most 500 rules.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "SetMailRuleResult", description: "The rule, or an error." },
    },
    args: { input: t.arg({ type: SetMailRuleInput, required: true, description: "The rule to set." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({ rule: await setMailRule(deps, viewer, input) }),
  }),
);

const RemoveMailRuleInput = builder.inputType("RemoveMailRuleInput", {
  description: "Input of `removeMailRule`.",
  fields: (t) => ({ id: t.id({ required: true, description: "The rule's id.", validate: idOf("MailRule") }) }),
});

const RemoveMailRuleSuccess = deletedPayload("RemoveMailRuleSuccess", "MailRule", "The rule was removed.");

builder.mutationField("removeMailRule", (t) =>
  t.field({
    type: RemoveMailRuleSuccess,
    description: "Removes a sender rule.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RemoveMailRuleResult", description: "The id of the removed rule, or an error." },
    },
    args: { input: t.arg({ type: RemoveMailRuleInput, required: true, description: "The rule to remove." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      await removeMailRule(deps, viewer, id);
      return { deletedId: id };
    },
  }),
);
