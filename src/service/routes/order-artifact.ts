/**
 * `GET /api/autofill/orders/<id>/artifacts/<artifact>`: screenshots and recordings of an order as they were kept, so it is no
 * operation. A browser that is signed in may read them from this site's own pages.
 */
import type { FastifyInstance } from "fastify";
import { failureOf, sendFailure } from "../../../rest-compat/failure-answer.ts";
import { type AuthenticationDeps, authenticate, credentialOf } from "../../accounts/authenticate.ts";
import { findArtifact } from "../../checkout/orders/artifacts.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Site } from "../../platform/site.ts";

interface Asked {
  readonly Params: { readonly id: string; readonly artifactId: string };
}

/** The endings of the files' names, by media type; anything else is bytes. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "application/json": "har",
  "text/html": "html",
};
/** What a shop's page left in them must not run, or look as if this site had written it. */
const HEADERS = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, no-store",
};

export function registerOrderArtifactRoute(
  app: FastifyInstance,
  deps: AuthenticationDeps & { readonly site: Site },
): void {
  app.get<Asked>("/api/autofill/orders/:id/artifacts/:artifactId", async ({ params, headers }, reply) => {
    const { id: orderId, artifactId } = params;
    try {
      const viewer = await authenticate(deps, credentialOf(headers, "same-origin", deps.site.isHttps));
      const { contentType, bytes } = await findArtifact(deps, viewer, { orderId, artifactId });
      const ending = ENDINGS[contentType];
      return reply
        .headers({
          ...HEADERS,
          "content-type": ending ? contentType : "application/octet-stream",
          "content-disposition": `attachment; filename="${artifactId}.${ending ?? "bin"}"`,
        })
        .send(Buffer.from(bytes));
    } catch (error) {
      if (error instanceof ServiceError) return sendFailure(reply, failureOf(error.code, error.message));
      throw error;
    }
  });
}
