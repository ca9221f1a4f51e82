/** JSON Schemas of the documents that the account owner signs, for programs that display or verify them. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { SignedPurchaseDocument } from "./approvals/purchase-document.ts";
import { PolicyDocument } from "./policy/policy-document.ts";

export const DOCUMENT_SCHEMA_PATHS = {
  purchase: "/schemas/checkout-purchase.json",
  policy: "/schemas/checkout-policy.json",
} as const;

/** Serves the schemas. */
export function registerDocumentSchemas(app: FastifyInstance): void {
  const schemas = { purchase: SignedPurchaseDocument, policy: PolicyDocument };
  for (const name of ["purchase", "policy"] as const) {
    const text = JSON.stringify(z.toJSONSchema(schemas[name]));
    app.get(DOCUMENT_SCHEMA_PATHS[name], async (_request, reply) =>
      reply
        .header("cache-control", "public, max-age=300")
        .header("access-control-allow-origin", "*")
        .type("application/schema+json")
        .send(text),
    );
  }
}
