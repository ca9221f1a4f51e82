/** Recorded acts of administrators, and the proposals that wait for a second administrator. */
import type { Prisma } from "../../generated/prisma/client.ts";
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import { builder } from "../builder.ts";
import { resolveConnection } from "../connection.ts";
import { idOf } from "../global-id.ts";
import { NEWEST_FIRST, PAGES, prismaList } from "../paging.ts";
import { ADMINISTRATORS_ONLY } from "./errors.ts";

const AdministratorActType = builder.prismaObject("AdministratorAct", {
  description: "An act of an administrator or the operator.",
  fields: (t) => ({
    actId: t.exposeID("id", { description: "The id of the act: `act_…`." }),
    action: t.exposeString("action", { description: "The action, such as `accounts.end_sessions`." }),
    reason: t.exposeString("reason", { nullable: true, description: "The reason. Null if none was given." }),
    actorAccountId: t.exposeID("actorAccountId", {
      nullable: true,
      description: "The account id of the administrator. Null for the operator.",
    }),
    subjectAccountId: t.exposeID("subjectAccountId", {
      nullable: true,
      description: "The id of the account that the act concerns. Null if it concerns none.",
    }),
    subjectType: t.exposeString("subjectType", {
      nullable: true,
      description: "The kind of the changed object, such as `oauth_client`.",
    }),
    subjectId: t.exposeID("subjectId", { nullable: true, description: "The id of the changed object." }),
    before: t.expose("before", { type: "JSON", nullable: true, description: "The changed values before the act." }),
    after: t.expose("after", { type: "JSON", nullable: true, description: "The changed values after the act." }),
    proposalId: t.exposeID("proposalId", {
      nullable: true,
      description: "The id of the proposal that the act confirmed or rejected. Null for an act of one administrator.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp of the act." }),
  }),
});

const AdministratorActFilter = builder.inputType("AdministratorActFilter", {
  description: "Filters for acts of administrators. All given conditions must match.",
  fields: (t) => ({
    subjectAccountId: t.id({ description: "The account that the acts concern.", validate: idOf("Account") }),
    actorAccountId: t.id({ description: "The administrator's account.", validate: idOf("Account") }),
  }),
});

builder.queryField("administratorActs", (t) =>
  t.connection(
    {
      type: AdministratorActType,
      ...PAGES,
      description: `The recorded acts of administrators and the operator, newest first. ${ADMINISTRATORS_ONLY}`,
      args: { filter: t.arg({ type: AdministratorActFilter, description: "Filters. Default: all acts." }) },
      resolve: (_root, args, context, info) => {
        requireReviewer(context.viewer);
        const { administratorAct } = context.deps.db.prisma;
        const { subjectAccountId, actorAccountId } = args.filter ?? {};
        const where: Prisma.AdministratorActWhereInput = {
          ...(subjectAccountId ? { subjectAccountId } : {}),
          ...(actorAccountId ? { actorAccountId } : {}),
        };
        const acts = prismaList(
          {},
          where,
          (query: Prisma.AdministratorActFindManyArgs) =>
            administratorAct.findMany({ ...query, orderBy: NEWEST_FIRST }),
          (query) => administratorAct.count(query),
        );
        return resolveConnection(args, context, info, acts);
      },
    },
    { name: "AdministratorActConnection", description: "A page of acts of administrators." },
    { name: "AdministratorActEdge", description: "An act in a list." },
  ),
);
