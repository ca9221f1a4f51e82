import { defineConfig } from "prisma/config";

// `prisma generate` does not use the schema engine, but the CLI would download one if this variable is not set.
process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  // `prisma migrate deploy` reads the same variable as the service. Without it, the service uses its embedded database.
  ...(process.env["DATABASE_URL"] ? { datasource: { url: process.env["DATABASE_URL"] } } : {}),
});
