/** Exports of the account: request, list, progress. `src/app/routes/account-export.ts` serves the archives. */
import type { AccountExport, Prisma } from "../../generated/prisma/client.ts";
import { ReauthenticationRequiredError, requireSession } from "../../src/accounts/recent-proof.ts";
import { exportChannel } from "../../src/personal-data/export/export-events.ts";
import { ExportLimitError, requestExport } from "../../src/personal-data/export/request-export.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { resolveConnection } from "../connection.ts";
import { createErrorOptions, INPUT_ERRORS } from "../errors.ts";
import { NEWEST_FIRST, PAGES, prismaList } from "../paging.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { wireEnum } from "../wire-enum.ts";

const AccountExportStatus = wireEnum("AccountExportStatus", "The status of an export.", {
  pending: "The export has not started.",
  running: "The archive is being written.",
  completed: "The archive can be downloaded.",
  failed: "The archive could not be written. Request another export.",
});
type Status = "pending" | "running" | "completed" | "failed";

export const AccountExportNode = builder.prismaNode("AccountExport", {
  id: { field: "id", description: "The export's global id." },
  findUnique: (id, context) => ({ id, accountId: requireSession(context.viewer).accountId }),
  nullable: true,
  description: "An archive of the account's data. It is deleted when it expires.",
  fields: (t) => ({
    exportId: t.exposeID("id", { description: "The export's id without the type prefix." }),
    status: t.field({
      type: AccountExportStatus,
      description: "The status of the export.",
      resolve: ({ status }) => status as Status,
    }),
    rowsDone: t.exposeInt("rowsDone", { description: "The number of rows written to the archive." }),
    rowsTotal: t.exposeInt("rowsTotal", {
      nullable: true,
      description: "The number of rows to write. Null until they are counted.",
    }),
    sizeBytes: t.float({
      nullable: true,
      description: "The size of the archive in bytes. Null until it is complete.",
      resolve: ({ sizeBytes }) => (sizeBytes === null ? null : Number(sizeBytes)),
    }),
    downloadUrl: t.field({
      type: "Url",
      nullable: true,
      description:
        "The URL of the archive, for a session with a sign-in in the last 10 minutes. Null until it is complete.",
      resolve: ({ id, status }, _args, { deps }) =>
        status === "completed" ? `${deps.site.browserUrl()}/account-exports/${id}` : null,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the export was requested." }),
    endedAt: t.expose("endedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the export completed or failed. Null before.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the export is deleted. Null until it ends.",
    }),
  }),
});

builder.objectFields(ViewerType, (t) => ({
  accountExports: t.connection(
    {
      type: AccountExportNode,
      ...PAGES,
      description: "The account's exports that have not expired, newest first. Requires a session.",
      resolve: (viewer, args, context, info) => {
        const { accountId } = requireSession(viewer);
        const { accountExport } = context.deps.db.prisma;
        const exports = prismaList(
          { accountId },
          { accountId },
          (query: Prisma.AccountExportFindManyArgs) => accountExport.findMany({ ...query, orderBy: NEWEST_FIRST }),
          (query) => accountExport.count(query),
        );
        return resolveConnection(args, context, info, exports);
      },
    },
    { name: "AccountExportConnection", description: "A page of exports." },
    { name: "AccountExportEdge", description: "An export in a list." },
  ),
}));

builder.objectType(ExportLimitError, {
  name: "ExportLimitError",
  ...createErrorOptions(
    "An export is in progress, or the account has the maximum number of exports. None was started.",
  ),
});

const RequestAccountExportSuccess = builder
  .objectRef<{ readonly accountExport: AccountExport }>("RequestAccountExportSuccess")
  .implement({
    description: "The export was queued.",
    fields: (t) => ({
      accountExport: t.expose("accountExport", { type: AccountExportNode, description: "The queued export." }),
    }),
  });

builder.mutationField("requestAccountExport", (t) =>
  t.field({
    type: RequestAccountExportSuccess,
    description:
      "Requests an archive of the account's data. Requires a session with a sign-in in the last 10 minutes. An account has one running export.",
    errors: {
      types: [...INPUT_ERRORS, ReauthenticationRequiredError, ExportLimitError],
      union: { name: "RequestAccountExportResult", description: "The queued export or an error." },
    },
    resolve: async (_root, _args, { deps, viewer }) => ({ accountExport: await requestExport(deps, viewer) }),
  }),
);

const AccountExportUpdateType = builder.objectRef<Update<AccountExport>>("AccountExportUpdate").implement({
  description: "Progress of an export.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    accountExport: t.expose("row", { type: AccountExportNode, description: "The export in its current state." }),
  }),
});

builder.subscriptionField("accountExportUpdated", (t) =>
  t.field({
    type: AccountExportUpdateType,
    ...RESUMABLE,
    description: `Publishes the progress of the account's exports. Requires a session. ${describeResumption()}`,
    args: { after: t.arg.string(AFTER) },
    subscribe: (_root, { after }, { deps, viewer }) => {
      const { accountId } = requireSession(viewer);
      const { accountExport } = deps.db.prisma;
      return watchRows({
        changeColumn: "updatedAt",
        listen: () => deps.pubsub.subscribe(exportChannel(accountId)),
        find: (id) => accountExport.findFirst({ where: { id, accountId } }),
        findSince: ({ where, ...page }) => accountExport.findMany({ where: { accountId, ...where }, ...page }),
        after,
      });
    },
    resolve: (update) => update,
  }),
);

lookUpById("accountExport", "AccountExport", AccountExportNode, "the export");
