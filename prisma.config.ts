import { defineConfig } from "prisma/config";

// `prisma generate` needs no schema engine, but the CLI insists on finding one and would download it.
process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  // `prisma migrate deploy` reads the same variable as the service; without one the service embeds its database.
  ...(process.env["DATABASE_URL"] ? { datasource: { url: process.env["DATABASE_URL"] } } : {}),
});
