/** Browsers that are signed in, and who is signed in here. */
import type { Session } from "../../generated/prisma/client.ts";
import { activeSessionFilter } from "../../src/accounts/session-kind.ts";
import { revokeOtherSessions, revokeSession, type SignInMethod, signOut } from "../../src/accounts/sessions.ts";
import { subjectOf } from "../../src/accounts/subject.ts";
import { requireManager } from "../../src/accounts/viewer.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { leave } from "../visitor.ts";
import { CredentialStatusEnum, statusWhere } from "./credential-status.ts";
import { ViewerType } from "./viewer.ts";

const SignInMethodEnum = builder.enumType("SignInMethod", {
  description: "How a person proved who they are.",
  values: {
    EMAIL_CODE: { value: "email_code", description: "By a one-time code sent to their address." },
    PASSKEY: { value: "passkey", description: "By a passkey." },
    OIDC: { value: "oidc", description: "Through an OpenID provider." },
  },
});

export const SessionNode = builder.prismaNode("Session", {
  id: { field: "id", description: "The session's global id." },
  findUnique: (id, context) => ({ id, accountId: requireManager(context.viewer).accountId }),
  nullable: true,
  description: "A browser that is signed in. It ends 30 days after the last proof, or after 7 days without use.",
  fields: (t) => ({
    sessionId: t.exposeID("id", { description: "The session's own id, without its type." }),
    method: t.field({
      type: SignInMethodEnum,
      description: "How the person last proved who they are.",
      resolve: ({ method }) => method as SignInMethod,
    }),
    userAgent: t.exposeString("userAgent", { nullable: true, description: "What the browser says of itself." }),
    ipAddress: t.exposeString("ipAddress", { nullable: true, description: "Where the last proof came from." }),
    isCurrent: t.boolean({
      description: "Whether this request was made in it.",
      resolve: ({ id }, _args, { viewer }) => viewer?.kind === "account" && viewer.credentialId === id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it began." }),
    authenticatedAt: t.expose("authenticatedAt", {
      type: "DateTime",
      description: "When the person last proved who they are.",
    }),
    lastSeenAt: t.expose("lastSeenAt", { type: "DateTime", description: "When it was last used, to the minute." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it ends by itself." }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "When it was ended." }),
  }),
});

const SessionFilter = builder.inputType("SessionFilter", {
  description: "Which sessions; all that is given must hold.",
  fields: (t) => ({ status: t.field({ type: CredentialStatusEnum, description: "How they stand." }) }),
});

builder.objectFields(ViewerType, (t) => ({
  session: t.prismaField({
    type: SessionNode,
    nullable: true,
    description: "The session this request was made in; null for another credential.",
    resolve: (query, { credentialId }, _args, { deps }) =>
      deps.db.prisma.session.findUnique({ ...query, where: { id: credentialId } }),
  }),
  sessions: t.prismaConnection(
    {
      type: SessionNode,
      ...PAGES,
      description:
        "The account's sessions, newest first, those that ended within the last month included. Needs the scope `account:manage`.",
      args: { filter: t.arg({ type: SessionFilter, description: "Which of them; default all." }) },
      resolve: async (query, viewer, { filter }, { deps }) => {
        const { accountId } = requireManager(viewer);
        const { session } = deps.db.prisma;
        const where = { accountId, ...statusWhere(filter?.status, activeSessionFilter(new Date())) };
        return await readPage(
          query,
          { accountId },
          (page) => session.findMany({ ...page, where, orderBy: NEWEST_FIRST }),
          (where) => session.count({ where }),
        );
      },
    },
    { name: "SessionConnection", description: "A page of sessions." },
    { name: "SessionEdge", description: "A session in a list." },
  ),
  isAdministrator: t.exposeBoolean("isAdministrator", {
    description: "Whether the person may review applications; only ever in a session.",
  }),
  sub: t.id({
    description: "The name by which applications know the account: `did:web:<host>:users:<uuid>`.",
    resolve: ({ accountId }, _args, { deps }) => subjectOf(deps.site.baseUrl(), accountId),
  }),
}));

const SignOutSuccess = builder.objectRef<{ readonly signedOut: boolean }>("SignOutSuccess").implement({
  description: "Nobody is signed in in this browser any more.",
  fields: (t) => ({ signedOut: t.exposeBoolean("signedOut", { description: "Whether somebody was until now." }) }),
});

builder.mutationField("signOut", (t) =>
  t.field({
    type: SignOutSuccess,
    description: "Ends the session this request was made in, and takes its cookie away.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "SignOutResult", description: "That nobody is signed in any more, or why somebody still is." },
    },
    resolve: async (_root, _args, context) => {
      const signedOut = await signOut(context.deps, context.viewer);
      if (signedOut || context.viewer === null) leave(context);
      return { signedOut };
    },
  }),
);

const RevokeSessionInput = builder.inputType("RevokeSessionInput", {
  description: "The session to end.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The session's global id." }) }),
});

const RevokeSessionSuccess = builder.objectRef<{ readonly session: Session }>("RevokeSessionSuccess").implement({
  description: "The session has ended, its open connections too.",
  fields: (t) => ({ session: t.expose("session", { type: SessionNode, description: "The session as it now is." }) }),
});

builder.mutationField("revokeSession", (t) =>
  t.field({
    type: RevokeSessionSuccess,
    description: "Ends a session at once. Ending it twice changes nothing. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RevokeSessionResult", description: "The session, or why it was not ended." },
    },
    args: { input: t.arg({ type: RevokeSessionInput, required: true, description: "The session." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      return { session: await revokeSession(deps, viewer, idOf("Session", id)) };
    },
  }),
);

const RevokeOtherSessionsSuccess = builder
  .objectRef<{ readonly revokedCount: number }>("RevokeOtherSessionsSuccess")
  .implement({
    description: "All other sessions have ended, their open connections too.",
    fields: (t) => ({ revokedCount: t.exposeInt("revokedCount", { description: "How many they were." }) }),
  });

builder.mutationField("revokeOtherSessions", (t) =>
  t.field({
    type: RevokeOtherSessionsSuccess,
    description: "Ends every session of the account but this one. Needs the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RevokeOtherSessionsResult", description: "How many ended, or why none did." },
    },
    resolve: async (_root, _args, { deps, viewer }) => ({ revokedCount: await revokeOtherSessions(deps, viewer) }),
  }),
);
