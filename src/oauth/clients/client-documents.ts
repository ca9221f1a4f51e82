/** Retrieval of client ID metadata documents. Documents and errors are cached in the database. */
import { setTimeout as wait } from "node:timers/promises";
import { cachePromise } from "../../platform/concurrency/memoize.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { readBounded } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { RateLimitedError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import { OAuthProtocolError } from "../oauth-protocol-error.ts";
import { isInBlockedDomain } from "./blocked-domains.ts";
import { type Client, findClient } from "./find-client.ts";
import {
  type ClientDocument,
  invalidDocumentError,
  parseClientDocument,
  readDocumentUrl,
} from "./metadata-document.ts";
import { storeClientDocument } from "./store-client-document.ts";

/** The draft recommends a limit of 5 KB (section 6.6). */
const MAX_BYTES = 5_120;
const TIMEOUT_MS = 5_000;
/** Bounds of the cache lifetime that the document's `Cache-Control` requests. */
const MIN_CACHE_SECONDS = 300;
const MAX_CACHE_SECONDS = 86_400;
const DEFAULT_CACHE_SECONDS = 3_600;
const ERROR_CACHE_SECONDS = 60;
/** How long the other nodes wait for one that retrieves the document: longer than any retrieval lasts. */
const CLAIM_SECONDS = 2 * (TIMEOUT_MS / 1_000);
const POLL_MS = 100;
/** First retrievals per host, so that this service cannot flood one. Later ones are bounded by the cache lifetime. */
const RETRIEVALS_PER_MINUTE = 30;

const FIND: Statement = {
  name: "find-client-document",
  text: `SELECT d.url IS NOT NULL AS "isCached", d.problem, EXISTS (SELECT FROM oauth_clients WHERE id = u.url) AS "isKnown",
      ${isInBlockedDomain("u.host")} AS "isBlocked"
    FROM (VALUES ($1::text, $2::text)) AS u (url, host)
      LEFT JOIN oauth_client_documents d ON d.url = u.url AND d.expires_at > now()`,
};

interface DocumentState {
  isCached: boolean;
  problem: string | null;
  /** Whether it was retrieved before. */
  isKnown: boolean;
  isBlocked: boolean;
}

// One node retrieves the document. After a failure of that node the claim lapses.
const CLAIM: Statement = {
  name: "claim-client-document",
  text: `INSERT INTO oauth_client_documents AS d (url, expires_at, claimed_until)
    VALUES ($1, now(), now() + interval '${CLAIM_SECONDS} seconds')
    ON CONFLICT (url) DO UPDATE SET claimed_until = excluded.claimed_until
      WHERE d.expires_at <= now() AND (d.claimed_until IS NULL OR d.claimed_until <= now())
    RETURNING url`,
};

const STORE: Statement = {
  name: "store-client-document",
  text: `INSERT INTO oauth_client_documents (url, problem, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))
    ON CONFLICT (url) DO UPDATE SET problem = excluded.problem, expires_at = excluded.expires_at, claimed_until = NULL`,
};

export interface ClientDocuments {
  readonly isEnabled: boolean;
  /**
   * Ensures that the client of a document is stored and not older than its cache lifetime.
   * @throws {OAuthProtocolError} `invalid_client` if the document cannot be used, or documents are not enabled
   */
  refresh(url: URL): Promise<void>;
}

interface DocumentDeps {
  readonly db: Database;
  readonly egress: Egress;
  readonly rateLimiter: RateLimiter;
  readonly logger: Logger;
  readonly isEnabled: boolean;
}

/** Creates the cache. Concurrent requests of a node for the same document share one retrieval. */
export function createClientDocuments(deps: DocumentDeps): ClientDocuments {
  const inFlight = new Map<string, Promise<void>>();
  return {
    isEnabled: deps.isEnabled,
    async refresh(url) {
      if (!deps.isEnabled) throw unknownClientError();
      const cached = inFlight.get(url.href);
      if (cached) return await cached;
      const refreshing = refresh(deps, url).finally(() => inFlight.delete(url.href));
      await cachePromise(inFlight, url.href, refreshing);
    },
  };
}

/**
 * Returns the client with this id in any status; null if there is none. An id that is a URL is that of a client ID
 * metadata document, which is retrieved unless it is cached.
 * @throws {OAuthProtocolError} `invalid_client` if the document cannot be used
 */
export async function resolveClient(
  { db, clientDocuments }: { readonly db: Database; readonly clientDocuments: ClientDocuments },
  clientId: string,
): Promise<Client | null> {
  await refreshDocument({ clientDocuments }, clientId);
  return await findClient(db, clientId);
}

/**
 * Returns true if the client may be used here: clients of metadata documents only while the setting accepts them. Their grants
 * remain and work again when it does.
 */
export function isAccepted(
  { clientDocuments }: { readonly clientDocuments: Pick<ClientDocuments, "isEnabled"> },
  { registration }: Pick<Client, "registration">,
): boolean {
  return registration !== "document" || clientDocuments.isEnabled;
}

/**
 * Retrieves the document of a client id that is a URL, unless it is cached.
 * @throws {OAuthProtocolError} `invalid_client` if the document cannot be used
 */
export async function refreshDocument(
  { clientDocuments }: { readonly clientDocuments: ClientDocuments },
  clientId: string | null,
): Promise<void> {
  const url = clientId === null ? null : readDocumentUrl(clientId);
  if (url) await clientDocuments.refresh(url);
}

async function refresh(deps: DocumentDeps, url: URL): Promise<void> {
  let isLimited = false;
  for (;;) {
    const [state] = await deps.db.query<DocumentState>(FIND, [url.href, url.hostname]);
    if (state?.problem) throw new OAuthProtocolError("invalid_client", state.problem);
    // The look-up of the client refuses a blocked one.
    if (state?.isCached || state?.isBlocked) return;
    // Not for a known client: requests for other URLs of its host would prevent its use.
    if (!state?.isKnown && !isLimited) await limitRetrievals(deps, url);
    isLimited = true;
    if ((await deps.db.query(CLAIM, [url.href])).length > 0) return await retrieveAndStore(deps, url);
    // Another node retrieves the document.
    await wait(POLL_MS);
  }
}

async function retrieveAndStore(deps: DocumentDeps, url: URL): Promise<void> {
  const { db, logger } = deps;
  try {
    const { document, cacheSeconds } = await retrieve(deps, url);
    await storeClientDocument(db, url, document);
    await db.query(STORE, [url.href, null, cacheSeconds]);
  } catch (error) {
    if (!(error instanceof OAuthProtocolError)) throw error;
    logger.info({ err: error.cause ?? error, host: url.host }, "A client ID metadata document was refused");
    await db.query(STORE, [url.href, error.message, ERROR_CACHE_SECONDS]);
    throw error;
  }
}

/** @throws {OAuthProtocolError} `temporarily_unavailable`, which is not cached */
async function limitRetrievals({ rateLimiter }: DocumentDeps, { host }: URL): Promise<void> {
  await rateLimiter.consume("oauth_client_document", host, RETRIEVALS_PER_MINUTE).catch((error: unknown) => {
    throw error instanceof RateLimitedError ? busyError() : error;
  });
}

/** Retrieves and validates the document. */
async function retrieve({ egress }: DocumentDeps, url: URL) {
  // The signal also bounds a body that arrives slowly.
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { accept: "application/json" };
  const response = await egress
    .request({ url: url.href, method: "GET", headers, timeoutMs: TIMEOUT_MS, maxRedirects: 0, signal })
    .catch((error: unknown) => {
      throw withCause(invalidDocumentError("could not be retrieved"), error);
    });
  const { status, body } = response;
  const type = String(response.headers["content-type"] ?? "");
  const problem =
    status !== 200
      ? "was not served with status 200; redirects are not followed"
      : /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)
        ? null
        : "was not served as application/json";
  if (problem !== null) {
    body.destroy();
    throw invalidDocumentError(problem);
  }
  const text = await readBounded(body, MAX_BYTES).catch((error: unknown) => {
    throw withCause(invalidDocumentError(`is longer than ${MAX_BYTES} bytes or was not sent in time`), error);
  });
  const document: ClientDocument = parseClientDocument(url, text);
  return { document, cacheSeconds: readCacheSeconds(String(response.headers["cache-control"] ?? "")) };
}

/** Returns how long to cache the document, by `max-age` of `Cache-Control` (RFC 9111 section 5.2.2.1) between bounds. */
function readCacheSeconds(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return MIN_CACHE_SECONDS;
  const maxAge = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(cacheControl)?.[1];
  if (maxAge === undefined) return DEFAULT_CACHE_SECONDS;
  return Math.min(MAX_CACHE_SECONDS, Math.max(MIN_CACHE_SECONDS, Number(maxAge)));
}

function withCause(error: OAuthProtocolError, cause: unknown): OAuthProtocolError {
  error.cause = cause;
  return error;
}

const unknownClientError = () => new OAuthProtocolError("invalid_client", "No application has this client_id.");
const busyError = () =>
  new OAuthProtocolError("temporarily_unavailable", "Too many documents of this host were retrieved. Try again later.");
