/** Routes for sign-in through the OpenID provider: start and callback. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RateLimitedError, ServiceError } from "../../platform/errors.ts";
import { canonicalRedirectUrl } from "../../platform/http/site.ts";
import type { SecurityLog } from "../../platform/observability/security-log.ts";
import { authenticate } from "../authenticate.ts";
import { formatSessionCookie, readSessionCookie } from "../session-cookie.ts";
import { SESSION_LIFETIME_MS } from "../sessions.ts";
import { formatBrowserCookie, readBrowserSecret } from "./browser-cookie.ts";
import type { SignInDeps, Visitor } from "./deps.ts";
import { issueKnownBrowserCookie } from "./known-browser.ts";
import { readReturnTo } from "./return-to.ts";
import { CALLBACK_PATH, completeUpstreamSignIn, startUpstreamSignIn, UpstreamSignInError } from "./upstream-sign-in.ts";

const HOME = "/dashboard";

/** Registers `GET /auth/upstream/start?return_to=` and `GET /auth/upstream/callback`. */
export function registerUpstreamRoutes(
  app: FastifyInstance,
  deps: SignInDeps & { readonly securityLog: SecurityLog },
): void {
  const { isHttps } = deps.site;

  app.get("/auth/upstream/start", async (request, reply) => {
    const canonicalUrl = canonicalRedirectUrl(deps.site, request.headers.host, request.url);
    if (canonicalUrl !== null) return reply.redirect(canonicalUrl, 303);
    const { return_to: returnTo } = request.query as Record<string, unknown>;
    const returnPath = readReturnTo(typeof returnTo === "string" ? returnTo : null);
    try {
      const { url, browserSecret } = await startUpstreamSignIn(deps, await readVisitor(request), {
        returnTo: returnPath,
      });
      return redirectSeeOther(reply.header("set-cookie", formatBrowserCookie(browserSecret, isHttps)), url);
    } catch (error) {
      return redirectToSignIn(request, reply, error, returnPath);
    }
  });

  app.get(CALLBACK_PATH, async (request, reply) => {
    const query = request.url.split("?", 2)[1] ?? "";
    try {
      const { secret, accountId, returnTo } = await completeUpstreamSignIn(deps, await readVisitor(request), query);
      logSignIn(request, "success");
      const cookie = formatSessionCookie(secret, { isHttps, maxAgeSeconds: SESSION_LIFETIME_MS / 1000 });
      const known = await issueKnownBrowserCookie(deps, accountId);
      return redirectSeeOther(reply.header("set-cookie", [cookie, known]), returnTo ?? HOME);
    } catch (error) {
      logSignIn(request, "failure", toFailureCode(error));
      return redirectToSignIn(request, reply, error, null);
    }
  });

  function logSignIn({ id: requestId, ip }: FastifyRequest, outcome: "success" | "failure", code?: string): void {
    deps.securityLog("sign_in.upstream", { outcome, requestId, ip, ...(code !== undefined && { code }) });
  }

  /** Accepts cookies on cross-site navigation, because the provider redirects the browser here. */
  async function readVisitor({ headers, ip }: FastifyRequest): Promise<Visitor> {
    const userAgent = headers["user-agent"] ?? null;
    return {
      viewer: await authenticate(deps, readSessionCookie(headers, "navigation", isHttps)),
      ip,
      userAgent,
      browserSecret: readBrowserSecret(headers, "navigation", isHttps),
      knownBrowser: null,
    };
  }
}

/** Redirects to the sign-in page, which shows the error and the other sign-in methods. */
function redirectToSignIn(request: FastifyRequest, reply: FastifyReply, error: unknown, returnPath: string | null) {
  const returnTo = error instanceof UpstreamSignInError ? error.returnTo : returnPath;
  const query = new URLSearchParams({ error: toFailureCode(error) });
  if (returnTo !== null) query.set("return_to", returnTo);
  if (!(error instanceof ServiceError) && query.get("error") === "upstream_failed") {
    request.log.warn({ err: (error as Error).cause ?? error }, "Sign-in through the OpenID provider failed");
  }
  return redirectSeeOther(reply, `/sign-in?${query}`);
}

function toFailureCode(error: unknown): string {
  if (error instanceof UpstreamSignInError) return error.failure;
  if (error instanceof RateLimitedError) return error.code;
  return error instanceof ServiceError ? "upstream_not_configured" : "upstream_failed";
}

/** Redirects without caching or Referer, because the query strings of these routes contain authorization codes. */
function redirectSeeOther(reply: FastifyReply, url: string): FastifyReply {
  return reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer").redirect(url, 303);
}
