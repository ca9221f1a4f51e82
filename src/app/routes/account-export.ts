/** Download of an account's export. The archive is streamed, so it is a route instead of an operation. */
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { accountExportDownload } from "../../../rest-compat/file-routes.ts";
import type { PersonalDataDeps } from "../../personal-data/deps.ts";
import { findCompletedExport } from "../../personal-data/export/request-export.ts";
import { readArchive } from "../../personal-data/export/sealed-archive.ts";
import { downloadHeaders, type FileRouteDeps, registerFileRoute } from "./file-route.ts";

export function registerAccountExportRoute(app: FastifyInstance, deps: PersonalDataDeps & FileRouteDeps): void {
  registerFileRoute(app, deps, accountExportDownload, async ({ viewer, pathPart }, reply) => {
    const row = await findCompletedExport(deps, viewer, pathPart("id"));
    const filename = `satchel-export-${row.createdAt.toISOString().slice(0, 10)}.tar.gz`;
    return reply
      .headers({ ...downloadHeaders("application/gzip", filename), "content-length": String(row.sizeBytes) })
      .send(Readable.from(readArchive(deps, row), { objectMode: false }));
  });
}
