/** Where tests find their servers, and what their databases are copied from (`template.ts`). */
import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { dropOnServer, embeddedTemplate, findServer } from "./template.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server to make databases on, or null: tests run on PGlite. */
    postgresqlUrl: string | null;
    redisUrl: string | null;
    /** The folder of the migrated PGlite. */
    embeddedTemplate: string;
    /** Name of the migrated database on a server; made there when first asked for. */
    serverTemplate: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgresqlUrl = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"] || null;
  const serverTemplate = `satchel_test_template_${randomBytes(6).toString("hex")}`;
  project.provide("postgresqlUrl", postgresqlUrl);
  project.provide("redisUrl", process.env["TEST_REDIS_URL"] || process.env["REDIS_URL"] || null);
  project.provide("embeddedTemplate", await embeddedTemplate());
  project.provide("serverTemplate", serverTemplate);
  return async () => {
    const server = await findServer(postgresqlUrl);
    if (server !== null) await dropOnServer(server, serverTemplate);
  };
}
