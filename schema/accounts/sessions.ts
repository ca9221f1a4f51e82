/** Sessions of the account and the signed-in viewer. */
import type { Prisma, Session } from "../../generated/prisma/client.ts";
import { UNEXPIRED } from "../../src/accounts/session-kind.ts";
import { revokeOtherSessions, revokeSession, type SignInMethod, signOut } from "../../src/accounts/sessions.ts";
import { formatSubject } from "../../src/accounts/subject.ts";
import { asSession, requireManager } from "../../src/accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { PAGES } from "../paging.ts";
import { linkViewer } from "../payload-viewer.ts";
import { clearSessionCookie, setKnownBrowserCookie } from "../visitor.ts";
import { wireEnum } from "../wire-enum.ts";
import { CredentialStatusEnum, filterByStatuses } from "./credential-status.ts";
import { ViewerType } from "./viewer.ts";

const SignInMethodEnum = wireEnum("SignInMethod", "The method by which a user signed in.", {
  email_code: "A one-time code sent to the email address.",
  passkey: "A passkey.",
  oidc: "An OpenID provider.",
});

export const SessionNode = builder.prismaNode("Session", {
  id: { field: "id", description: "The session's global id." },
  findUnique: (id, context) => ({ id, accountId: requireManager(context.viewer).accountId }),
  nullable: true,
  description: "A signed-in browser. A session expires 30 days after the last sign-in, or after 7 days without use.",
  fields: (t) => ({
    sessionId: t.exposeID("id", { description: "The session's id without the type prefix." }),
    method: t.field({
      type: SignInMethodEnum,
      description: "The method of the last sign-in.",
      resolve: ({ method }) => method as SignInMethod,
    }),
    userAgent: t.exposeString("userAgent", { nullable: true, description: "The User-Agent header of the browser." }),
    ipAddress: t.exposeString("ipAddress", { nullable: true, description: "The IP address of the last sign-in." }),
    isCurrent: t.boolean({
      description: "Whether this request was sent in this session.",
      resolve: ({ id }, _args, { viewer }) => viewer?.kind === "account" && viewer.credentialId === id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the session was created." }),
    authenticatedAt: t.expose("authenticatedAt", {
      type: "DateTime",
      description: "Timestamp of the last sign-in.",
    }),
    lastSeenAt: t.expose("lastSeenAt", {
      type: "DateTime",
      description: "Timestamp when the session was last used, to the minute.",
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the session expires." }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the session was revoked. Null if it was not.",
    }),
  }),
});

const SessionFilter = builder.inputType("SessionFilter", {
  description: "Filters for sessions. All given conditions must match.",
  fields: (t) => ({
    statuses: t.field({ type: [CredentialStatusEnum], description: "The statuses of the sessions. Default: all." }),
  }),
});

const sessionsOf = createConnectionReader(
  {
    ...{ table: "sessions", parentColumn: "account_id", parentType: "uuid", timeColumn: "created_at" },
    order: "newest first",
    facets: { isRevoked: "(child.revoked_at IS NOT NULL)" },
  },
  ({ deps }, selection: Prisma.SessionDefaultArgs, ids) =>
    deps.db.prisma.session.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, accountId) => deps.db.prisma.session.count({ where: { id, accountId } }),
);

builder.objectFields(ViewerType, (t) => ({
  session: t.prismaField({
    type: SessionNode,
    nullable: true,
    description: "The session of this request. Null for another credential.",
    resolve: (query, { credentialId }, _args, { deps }) =>
      deps.db.prisma.session.findUnique({ ...query, where: { id: credentialId } }),
  }),
  sessions: t.connection(
    {
      type: SessionNode,
      ...PAGES,
      description:
        "The account's sessions, newest first, including those that ended in the last 30 days. Requires the scope `account:manage`.",
      args: { filter: t.arg({ type: SessionFilter, description: "Filters for the list. Defaults to all sessions." }) },
      resolve: (viewer, args, context, info) => {
        const { accountId } = requireManager(viewer);
        const filter = filterByStatuses(args.filter?.statuses, UNEXPIRED);
        return resolveConnection(args, context, info, sessionsOf(context, accountId, filter));
      },
    },
    { name: "SessionConnection", description: "A page of sessions." },
    { name: "SessionEdge", description: "A session in a list." },
  ),
  isAdministrator: t.exposeBoolean("isAdministrator", {
    description: "Whether the viewer may review applications. Always false for credentials other than sessions.",
  }),
  sub: t.id({
    description: "The subject identifier of the account for applications: `did:web:<host>:users:<uuid>`.",
    resolve: ({ accountId }, _args, { deps }) => formatSubject(deps.site.baseUrl(), accountId),
  }),
}));

const SignOutSuccess = builder.objectRef<{ readonly signedOut: boolean }>("SignOutSuccess").implement({
  description: "The browser is signed out.",
  fields: (t) => ({
    signedOut: t.exposeBoolean("signedOut", {
      description: "Whether a session was ended. False if the browser was not signed in.",
    }),
  }),
});

builder.mutationField("signOut", (t) =>
  t.field({
    type: SignOutSuccess,
    description: "Revokes the session of this request and deletes its cookie.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "SignOutResult", description: "The result of the sign-out or an error." },
    },
    resolve: async (_root, _args, context) => {
      const signedOut = await signOut(context.deps, context.viewer);
      if (signedOut || context.viewer === null) clearSessionCookie(context);
      return { signedOut };
    },
  }),
);

const RevokeSessionInput = builder.inputType("RevokeSessionInput", {
  description: "The session to revoke.",
  fields: (t) => ({ id: t.id({ required: true, description: "The session's id.", validate: idOf("Session") }) }),
});

const RevokeSessionSuccess = builder.objectRef<{ readonly session: Session }>("RevokeSessionSuccess").implement({
  description: "The session was revoked and its open connections were closed.",
  fields: (t) => ({ session: t.expose("session", { type: SessionNode, description: "The revoked session." }) }),
});

builder.mutationField("revokeSession", (t) =>
  t.field({
    type: RevokeSessionSuccess,
    description: "Revokes a session with immediate effect. Idempotent. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RevokeSessionResult", description: "The revoked session or an error." },
    },
    args: { input: t.arg({ type: RevokeSessionInput, required: true, description: "The session to revoke." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      return { session: await revokeSession(deps, viewer, id) };
    },
  }),
);

const RevokeOtherSessionsSuccess = linkViewer(
  builder.objectRef<{ readonly revokedCount: number }>("RevokeOtherSessionsSuccess").implement({
    description: "All other sessions were revoked and their open connections were closed.",
    fields: (t) => ({
      revokedCount: t.exposeInt("revokedCount", { description: "The number of revoked sessions." }),
    }),
  }),
);

builder.mutationField("revokeOtherSessions", (t) =>
  t.field({
    type: RevokeOtherSessionsSuccess,
    description: "Revokes every session of the account except the current one. Requires the scope `account:manage`.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RevokeOtherSessionsResult", description: "The number of revoked sessions or an error." },
    },
    resolve: async (_root, _args, context) => {
      const revokedCount = await revokeOtherSessions(context.deps, context.viewer);
      const session = asSession(context.viewer);
      if (session) await setKnownBrowserCookie(context, session.accountId);
      return { revokedCount };
    },
  }),
);

lookUpById("session", "Session", SessionNode, "the session");
