/** The two addresses of a journey to the OpenID provider: where it begins, and where it comes back to. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RateLimitedError, ServiceError } from "../../platform/errors.ts";
import { canonicalRedirectUrl } from "../../platform/http/site.ts";
import { authenticate } from "../authenticate.ts";
import { sessionCookieOf, sessionSetCookie } from "../session-cookie.ts";
import { SESSION_LIFETIME_MS } from "../sessions.ts";
import { browserSecretOf, browserSetCookie } from "./browser-cookie.ts";
import type { SignInDeps, Visitor } from "./deps.ts";
import { readReturnTo } from "./return-to.ts";
import { CALLBACK_PATH, completeUpstreamSignIn, startUpstreamSignIn, UpstreamSignInError } from "./upstream-sign-in.ts";

const HOME = "/dashboard";

/** Registers `GET /auth/upstream/start?return_to=` and `GET /auth/upstream/callback`. */
export function registerUpstreamRoutes(app: FastifyInstance, deps: SignInDeps): void {
  const { isHttps } = deps.site;

  app.get("/auth/upstream/start", async (request, reply) => {
    const elsewhere = canonicalRedirectUrl(deps.site, request.headers.host, request.url);
    if (elsewhere !== null) return reply.redirect(elsewhere, 303);
    const { return_to: returnTo } = request.query as Record<string, unknown>;
    const returnPath = readReturnTo(typeof returnTo === "string" ? returnTo : null);
    try {
      const { url, browserSecret } = await startUpstreamSignIn(deps, await visitorOf(request), {
        returnTo: returnPath,
      });
      return seeOther(reply.header("set-cookie", browserSetCookie(browserSecret, isHttps)), url);
    } catch (error) {
      return toSignIn(request, reply, error, returnPath);
    }
  });

  app.get(CALLBACK_PATH, async (request, reply) => {
    const query = request.url.split("?", 2)[1] ?? "";
    try {
      const { secret, returnTo } = await completeUpstreamSignIn(deps, await visitorOf(request), query);
      const cookie = sessionSetCookie(secret, { isHttps, maxAgeSeconds: SESSION_LIFETIME_MS / 1000 });
      return seeOther(reply.header("set-cookie", cookie), returnTo ?? HOME);
    } catch (error) {
      return toSignIn(request, reply, error, null);
    }
  });

  /** The provider sends the browser here, so its cookies count although another site did. */
  async function visitorOf({ headers, ip }: FastifyRequest): Promise<Visitor> {
    const userAgent = headers["user-agent"] ?? null;
    return {
      viewer: await authenticate(deps, sessionCookieOf(headers, "navigation", isHttps)),
      ip,
      userAgent,
      browserSecret: browserSecretOf(headers, "navigation", isHttps),
    };
  }
}

/** Back to the page with the other ways to sign in, which says what went wrong. */
function toSignIn(request: FastifyRequest, reply: FastifyReply, error: unknown, returnPath: string | null) {
  const returnTo = error instanceof UpstreamSignInError ? error.returnTo : returnPath;
  const query = new URLSearchParams({ error: failureOf(error) });
  if (returnTo !== null) query.set("return_to", returnTo);
  if (!(error instanceof ServiceError) && query.get("error") === "upstream_failed") {
    request.log.warn({ err: (error as Error).cause ?? error }, "signing in through the OpenID provider failed");
  }
  return seeOther(reply, `/sign-in?${query}`);
}

function failureOf(error: unknown): string {
  if (error instanceof UpstreamSignInError) return error.failure;
  if (error instanceof RateLimitedError) return error.code;
  return error instanceof ServiceError ? "upstream_not_configured" : "upstream_failed";
}

/** Query strings of these addresses hold codes: nobody keeps them, and no page learns them from a Referer. */
function seeOther(reply: FastifyReply, url: string): FastifyReply {
  return reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer").redirect(url, 303);
}
