/** The pages for people: one application, built once and served as files. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { canonicalRedirectUrl, type Site } from "./site.ts";

/** Paths of machines: what is unknown below them stays JSON, whoever asks. */
const MACHINE_PATHS = /^\/(?:api|v1|oauth|auth|graphql|health|assets|\.well-known)(?:\/|$)/;

export interface WebApp {
  /** Whether a person follows this request: if so it is answered with the application's own 404 page. */
  answersUnknown(request: FastifyRequest): boolean;
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

export interface WebAppOptions {
  /** The folder of the built files: `index.html` and `assets/`. */
  readonly dist: string;
  /** The paths of the pages, as routes are written. */
  readonly pages: readonly string[];
  /** Pages that may run in a window another site opened, and answer to it. */
  readonly popupPages: readonly string[];
  readonly site: Site;
}

/** Nothing inline, nothing from elsewhere; sockets are named for browsers whose `'self'` leaves them out. */
function contentSecurityPolicy(site: Site): string {
  const { host, protocol } = new URL(site.browserUrl());
  const socket = `${protocol === "https:" ? "wss" : "ws"}://${host}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${socket}`,
    // A stranger's HTML, served with a policy of its own.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function createWebApp({ dist, popupPages, site }: WebAppOptions): WebApp {
  return {
    answersUnknown: ({ method, headers, url }) =>
      (method === "GET" || method === "HEAD") &&
      /\btext\/html\b/.test(headers.accept ?? "") &&
      !MACHINE_PATHS.test(url.split("?")[0] ?? ""),
    async sendPage(request, reply) {
      const isPopup = popupPages.includes(request.routeOptions.url ?? "");
      // Read each time: a page is asked for once a visit, and a new build counts at once.
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
          .send("The pages are not built here. Build them with: npm run build:web\n");
      }
      return reply.type("text/html; charset=utf-8").send(page);
    },
  };
}

/** Serves the pages, and their files under `/assets`. Files carry their hash in their name, so they never change. */
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
      const elsewhere = canonicalRedirectUrl(site, request.headers.host, request.url);
      return elsewhere === null ? webApp.sendPage(request, reply) : reply.redirect(elsewhere, 303);
    });
  }
}
