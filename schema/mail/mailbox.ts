/** An agent's mailbox and the rules of whose mail it takes. What is in it stands in files of its own. */
import type { Mailbox, MailRule } from "../../generated/prisma/client.ts";
import { createMailbox, NoActiveAgentError } from "../../src/mail/mailboxes.ts";
import { removeMailRule, setMailRule } from "../../src/mail/rules.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, errorOf, INPUT_ERRORS } from "../errors.ts";
import { findVisible } from "../find-visible.ts";
import { idOf } from "../global-id.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { NEWEST_FIRST } from "../paging.ts";
import { StorableText } from "../text.ts";

builder.objectType(NoActiveAgentError, {
  name: "NoActiveAgentError",
  ...errorOf("The account has no agent that is registered and not revoked."),
});

const MailRuleAction = builder.enumType("MailRuleAction", {
  description: "What a rule does with mail.",
  values: {
    allow: { description: "Takes it; with any such rule, a mailbox takes mail of no others." },
    block: { description: "Refuses it, whatever else is allowed." },
  },
});

export const MailRuleNode = builder.prismaNode("MailRule", {
  id: { field: "id", description: "The rule's global id." },
  findUnique: findVisible((ids, context) =>
    context.deps.db.prisma.mailRule.findMany({
      select: { id: true },
      where: { id: { in: ids }, mailbox: { accountId: ownAccountIdWithin(context, "email:read") } },
    }),
  ),
  nullable: true,
  description: "Whose mail a mailbox takes, or does not.",
  fields: (t) => ({
    action: t.field({
      type: MailRuleAction,
      description: "What becomes of the mail.",
      resolve: ({ action }) => action as "allow",
    }),
    pattern: t.exposeString("pattern", {
      description: "An address, or a domain with everything below it; in lower case.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Since when it holds." }),
  }),
});

const AGENT = { agent: { select: { agentId: true, status: true } } } as const;

export const MailboxNode = builder.prismaNode("Mailbox", {
  id: { field: "id", description: "The mailbox's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountIdWithin(context, "email:read") }),
  nullable: true,
  description: "An agent's mailbox.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "Its mail address." }),
    displayName: t.exposeString("displayName", { description: "What stands before the address in mail it sends." }),
    isActive: t.boolean({
      select: AGENT,
      description: "Whether mail comes to it and leaves it: as long as its agent is active.",
      resolve: ({ agent }) => agent.status === "active",
    }),
    agentId: t.int({
      nullable: true,
      select: AGENT,
      description: "The agent's id in the registry, from 0 on.",
      resolve: ({ agent }) => (agent.agentId === null ? null : Number(agent.agentId)),
    }),
    walletAddress: t.string({
      description: "The agent's wallet.",
      resolve: async ({ accountId }, _args, { deps }) => (await deps.wallets.ofAccount(accountId)).evmAddress,
    }),
    rules: t.prismaField({
      type: [MailRuleNode],
      complexity: 5,
      description: "Whose mail it takes, newest first; at most 500.",
      resolve: (query, { id }, _args, { deps }) =>
        deps.db.prisma.mailRule.findMany({
          ...query,
          where: { mailboxId: id },
          orderBy: NEWEST_FIRST,
        }),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was opened." }),
  }),
});

builder.objectField(ViewerType, "mailbox", (t) =>
  t.prismaField({
    type: MailboxNode,
    nullable: true,
    description: "The agent's mailbox; null while none was made.",
    resolve: (query, _viewer, _args, context) =>
      context.deps.db.prisma.mailbox.findUnique({
        ...query,
        where: { accountId: ownAccountIdWithin(context, "email:read") },
      }),
  }),
);

const CreateMailboxInput = builder.inputType("CreateMailboxInput", {
  description: "The mailbox to open.",
  fields: (t) => ({
    displayName: t.string({
      validate: StorableText,
      description: "What stands before the address in mail it sends; default `Agent` with the agent's id.",
    }),
  }),
});

const CreateMailboxSuccess = builder.objectRef<{ mailbox: Mailbox }>("CreateMailboxSuccess").implement({
  description: "The mailbox is open.",
  fields: (t) => ({ mailbox: t.expose("mailbox", { type: MailboxNode, description: "The mailbox." }) }),
});

builder.mutationField("createMailbox", (t) =>
  t.field({
    type: CreateMailboxSuccess,
    description: "Opens the agent's mailbox. Of one that is open, changes the display name when one is given.",
    errors: {
      types: [...INPUT_ERRORS, NoActiveAgentError],
      union: { name: "CreateMailboxResult", description: "The mailbox, or why there is none." },
    },
    args: { input: t.arg({ type: CreateMailboxInput, required: true, description: "The mailbox." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      mailbox: await createMailbox(deps, viewer, { displayName: input.displayName ?? null }),
    }),
  }),
);

const SetMailRuleInput = builder.inputType("SetMailRuleInput", {
  description: "A rule; it takes the place of an earlier one for the same pattern.",
  fields: (t) => ({
    action: t.field({ type: MailRuleAction, required: true, description: "What becomes of the mail." }),
    pattern: t.string({
      required: true,
      validate: StorableText,
      description: "An address, or a domain: then it holds for everything below it too.",
    }),
  }),
});

const SetMailRuleSuccess = builder.objectRef<{ rule: MailRule }>("SetMailRuleSuccess").implement({
  description: "The rule holds from now on.",
  fields: (t) => ({ rule: t.expose("rule", { type: MailRuleNode, description: "The rule." }) }),
});

builder.mutationField("setMailRule", (t) =>
  t.field({
    type: SetMailRuleSuccess,
    description: "Allows or blocks whoever writes to the mailbox.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "SetMailRuleResult", description: "The rule, or why there is none." },
    },
    args: { input: t.arg({ type: SetMailRuleInput, required: true, description: "The rule." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({ rule: await setMailRule(deps, viewer, input) }),
  }),
);

const RemoveMailRuleInput = builder.inputType("RemoveMailRuleInput", {
  description: "The rule to remove.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The rule's global id." }) }),
});

const RemoveMailRuleSuccess = builder.objectRef<{ removed: boolean }>("RemoveMailRuleSuccess").implement({
  description: "The rule no longer holds.",
  fields: (t) => ({
    removed: t.exposeBoolean("removed", { description: "Whether it was there; removing twice changes nothing." }),
  }),
});

builder.mutationField("removeMailRule", (t) =>
  t.field({
    type: RemoveMailRuleSuccess,
    description: "Takes a rule back.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RemoveMailRuleResult", description: "That it is gone, or why not." },
    },
    args: { input: t.arg({ type: RemoveMailRuleInput, required: true, description: "The rule." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      return { removed: await removeMailRule(deps, viewer, idOf("MailRule", id)) };
    },
  }),
);
