/** Serves the web application: one page with built assets. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { canonicalRedirectUrl, type Site } from "./site.ts";

/** Paths of the API: their 404 responses are always JSON. */
const API_PATHS = /^\/(?:api|v1|oauth|auth|graphql|health|assets|\.well-known)(?:\/|$)/;

export interface WebApp {
  /** Returns true if a request to an unknown path comes from a browser navigation and receives the application's 404 page. */
  isPageRequest(request: FastifyRequest): boolean;
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

export interface WebAppOptions {
  /** Folder of the built files: `index.html` and `assets/`. */
  readonly dist: string;
  /** Route patterns of the pages. */
  readonly pages: readonly string[];
  /** Pages that may run in a popup of another site and send messages to its opener. */
  readonly popupPages: readonly string[];
  readonly site: Site;
}

/** Allows no inline code and no other origins. Lists the WebSocket URL for browsers whose `'self'` does not include it. */
function contentSecurityPolicy(site: Site): string {
  const { host, protocol } = new URL(site.browserUrl());
  const socket = `${protocol === "https:" ? "wss" : "ws"}://${host}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${socket}`,
    // Untrusted HTML, served with its own policy.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function createWebApp({ dist, popupPages, site }: WebAppOptions): WebApp {
  return {
    isPageRequest: ({ method, headers, url }) =>
      (method === "GET" || method === "HEAD") &&
      /\btext\/html\b/.test(headers.accept ?? "") &&
      !API_PATHS.test(url.split("?")[0] ?? ""),
    async sendPage(request, reply) {
      const isPopup = popupPages.includes(request.routeOptions.url ?? "");
      // Not cached: a page is requested once a visit, and a new build is served immediately.
      const page = await readFile(join(dist, "index.html")).catch(() => null);
      reply.headers({
        "cache-control": "no-store",
        "content-security-policy": contentSecurityPolicy(site),
        "cross-origin-opener-policy": isPopup ? "unsafe-none" : "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
      });
      if (page === null) {
        return reply
          .code(503)
          .type("text/plain; charset=utf-8")
          .send("The pages are not built. Build them with: npm run build:web\n");
      }
      return reply.type("text/html; charset=utf-8").send(page);
    },
  };
}

/** Registers the pages and `/assets`. File names in `/assets` contain a content hash, so responses are immutable. */
export function registerWebApp(app: FastifyInstance, webApp: WebApp, { dist, pages, site }: WebAppOptions): void {
  app.register(fastifyStatic, {
    root: join(dist, "assets"),
    prefix: "/assets/",
    decorateReply: false,
    index: false,
    dotfiles: "ignore",
    preCompressed: true,
    immutable: true,
    maxAge: "1y",
    setHeaders: (response) => void response.header("cross-origin-resource-policy", "same-origin"),
  });
  app.get("/", (_request, reply) => reply.redirect("/dashboard", 303));
  for (const page of pages) {
    app.get(page, (request, reply) => {
      const redirectUrl = canonicalRedirectUrl(site, request.headers.host, request.url);
      return redirectUrl === null ? webApp.sendPage(request, reply) : reply.redirect(redirectUrl, 303);
    });
  }
}
