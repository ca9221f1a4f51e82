import type { FastifyInstance, FastifyReply } from "fastify";
import { lazy } from "../../src/platform/concurrency/memoize.ts";
import type { MeaningOf } from "../error-meanings.ts";
import { buildOpenApiDocument } from "../openapi.ts";
import { renderDocsPage } from "./page.ts";
import { STYLE } from "./style.ts";

/** Allows no scripts, and style sheets of the same origin only. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const CACHE_CONTROL = "public, max-age=300";

/** Registers `/openapi.json` and `/docs`. Both are built on first use, because `baseUrl` is known only once the service listens. */
export function registerDocs(app: FastifyInstance, baseUrl: () => string, meaningOf: MeaningOf): void {
  const openApi = lazy(() => JSON.stringify(buildOpenApiDocument(baseUrl(), meaningOf)));
  const page = lazy(() => renderDocsPage(baseUrl(), meaningOf));
  const cached = (reply: FastifyReply, type: string) => reply.header("cache-control", CACHE_CONTROL).type(type);

  app.get("/openapi.json", (_request, reply) => cached(reply, "application/json; charset=utf-8").send(openApi()));
  app.get("/docs", (_request, reply) =>
    cached(reply, "text/html; charset=utf-8").header("content-security-policy", PAGE_POLICY).send(page()),
  );
  app.get("/docs/style.css", (_request, reply) => cached(reply, "text/css; charset=utf-8").send(STYLE));
}
