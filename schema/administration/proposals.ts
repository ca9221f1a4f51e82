/** Proposals of acts that require two administrators. */
import type { AdministratorProposal, Prisma } from "../../generated/prisma/client.ts";
import {
  findProposalToConfirm,
  ProposalNotPendingError,
  rejectProposal,
} from "../../src/accounts/administration/proposals.ts";
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import type { TwoPersonAct } from "../../src/platform/config/two-person-acts.ts";
import { builder } from "../builder.ts";
import { resolveConnection } from "../connection.ts";
import { NEWEST_FIRST, PAGES, prismaList } from "../paging.ts";
import { wireEnum } from "../wire-enum.ts";
import { CONFIRMATION_ERRORS, CONFIRMATIONS } from "./confirmations.ts";
import { ADMINISTRATION_ERRORS, ADMINISTRATORS_ONLY, RECENT_ADMINISTRATORS_ONLY } from "./errors.ts";

const PROPOSAL_STATUSES = {
  pending: "Another administrator has not decided yet.",
  confirmed: "Another administrator confirmed it, and the act was performed.",
  rejected: "An administrator rejected or withdrew it.",
  expired: "No administrator decided within 24 hours.",
};

const AdministratorProposalStatus = wireEnum(
  "AdministratorProposalStatus",
  "The status of a proposal.",
  PROPOSAL_STATUSES,
);

const AdministratorProposalType = builder.prismaObject("AdministratorProposal", {
  description: "An act that requires two administrators: proposed by one, performed when another confirms it.",
  fields: (t) => ({
    proposalId: t.exposeID("id", { description: "The id of the proposal: `prp_…`." }),
    action: t.exposeString("action", { description: "The proposed action, such as `oauth_clients.approve`." }),
    reason: t.exposeString("reason", { nullable: true, description: "The reason. Null if none was given." }),
    input: t.expose("input", { type: "JSON", description: "The input of the act." }),
    subjectAccountId: t.exposeID("subjectAccountId", {
      nullable: true,
      description: "The id of the account that the act concerns. Null if it concerns none.",
    }),
    subjectType: t.exposeString("subjectType", { nullable: true, description: "The kind of the object to change." }),
    subjectId: t.exposeID("subjectId", { nullable: true, description: "The id of the object to change." }),
    proposedById: t.exposeID("proposedById", {
      nullable: true,
      description: "The account id of the administrator who proposed it. Null for the operator.",
    }),
    decidedById: t.exposeID("decidedById", {
      nullable: true,
      description: "The account id of the administrator who decided. Null for the operator, and while it is pending.",
    }),
    status: t.field({
      type: AdministratorProposalStatus,
      description: "The status of the proposal.",
      resolve: ({ status, expiresAt }) =>
        status === "pending" && expiresAt.getTime() <= Date.now() ? "expired" : (status as "pending"),
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the proposal expires." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp of the proposal." }),
  }),
});

builder.queryField("administratorProposals", (t) =>
  t.connection(
    {
      type: AdministratorProposalType,
      ...PAGES,
      description: `The proposals of acts that require two administrators, newest first. ${ADMINISTRATORS_ONLY}`,
      args: {
        isPending: t.arg.boolean({ description: "Only proposals that can be confirmed. Default: all." }),
      },
      resolve: (_root, args, context, info) => {
        requireReviewer(context.viewer);
        const { administratorProposal } = context.deps.db.prisma;
        const where: Prisma.AdministratorProposalWhereInput = args.isPending
          ? { status: "pending", expiresAt: { gt: new Date() } }
          : {};
        const proposals = prismaList(
          {},
          where,
          (query: Prisma.AdministratorProposalFindManyArgs) =>
            administratorProposal.findMany({ ...query, orderBy: NEWEST_FIRST }),
          (query) => administratorProposal.count(query),
        );
        return resolveConnection(args, context, info, proposals);
      },
    },
    { name: "AdministratorProposalConnection", description: "A page of proposals." },
    { name: "AdministratorProposalEdge", description: "A proposal in a list." },
  ),
);

const DecideProposalSuccess = builder
  .objectRef<{ readonly proposal: AdministratorProposal }>("DecideAdministratorProposalSuccess")
  .implement({
    description: "The proposal was decided. A confirmed act was performed.",
    fields: (t) => ({
      proposal: t.expose("proposal", { type: AdministratorProposalType, description: "The proposal." }),
    }),
  });

const ConfirmProposalInput = builder.inputType("ConfirmAdministratorProposalInput", {
  description: "A proposal to confirm.",
  fields: (t) => ({ proposalId: t.id({ required: true, description: "The id of the proposal: `prp_…`." }) }),
});

builder.mutationField("confirmAdministratorProposal", (t) =>
  t.field({
    type: DecideProposalSuccess,
    description: `Confirms a proposal of another administrator and performs its act. ${RECENT_ADMINISTRATORS_ONLY}`,
    errors: {
      types: [...ADMINISTRATION_ERRORS, ProposalNotPendingError, ...CONFIRMATION_ERRORS],
      union: { name: "ConfirmAdministratorProposalResult", description: "The confirmed proposal or an error." },
    },
    args: { input: t.arg({ type: ConfirmProposalInput, required: true, description: "The proposal." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const { id, action, input: stored, reason } = await findProposalToConfirm(deps, viewer, input.proposalId);
      await CONFIRMATIONS[action as TwoPersonAct](deps, viewer, { ...(stored as object), reason, proposalId: id });
      return { proposal: await deps.db.prisma.administratorProposal.findUniqueOrThrow({ where: { id } }) };
    },
  }),
);

const RejectProposalInput = builder.inputType("RejectAdministratorProposalInput", {
  description: "A proposal to reject or withdraw.",
  fields: (t) => ({
    proposalId: t.id({ required: true, description: "The id of the proposal: `prp_…`." }),
    reason: t.string({ required: true, description: "The reason, 1 to 1,000 characters." }),
  }),
});

builder.mutationField("rejectAdministratorProposal", (t) =>
  t.field({
    type: DecideProposalSuccess,
    description: `Rejects a proposal, or withdraws the caller's own. ${RECENT_ADMINISTRATORS_ONLY}`,
    errors: {
      types: [...ADMINISTRATION_ERRORS, ProposalNotPendingError],
      union: { name: "RejectAdministratorProposalResult", description: "The rejected proposal or an error." },
    },
    args: { input: t.arg({ type: RejectProposalInput, required: true, description: "The proposal." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({ proposal: await rejectProposal(deps, viewer, input) }),
  }),
);
