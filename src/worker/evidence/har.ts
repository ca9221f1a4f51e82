/**
 * What a checkout's pages asked for and were answered, in the form of HAR 1.2, and no more than shows what happened: no bodies,
 * no cookies, no values of queries, few headers. Nothing secret is taken in, so that nothing needs to be found and taken out.
 */
import type { BrowserContext, Request, Response } from "playwright-core";
import type { Redactor } from "./redact.ts";

export interface Traffic {
  /** The archive so far, and what was left out or cut out of it. Null while nothing was asked for. */
  archive(
    browserVersion: string,
  ): { readonly bytes: Uint8Array<ArrayBuffer>; readonly redactions: readonly string[] } | null;
}

interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  readonly location: string;
  readonly resourceType: string;
}

const MAX_ENTRIES = 2_000;
const LONGEST_URL = 1_000;
/** What a path may say in words; longer ones, and letters among digits, are names of sessions and carts. */
const LONGEST_SEGMENT = 32;
const OPAQUE = /^(?=.*\d)(?=.*[a-z])[a-z\d]{12,}$/i;
const LEFT_OUT = ["bodies", "cookies", "headers", "query_values"];

/** Listens from now on. */
export function recordTraffic(context: BrowserContext, redactor: Redactor): Traffic {
  const entries: Entry[] = [];
  const add = (request: Request, response: Response | null) => {
    if (entries.length < MAX_ENTRIES && /^https?:/.test(request.url())) entries.push(entryOf(request, response));
  };
  context.on("response", (response) => add(response.request(), response));
  context.on("requestfailed", (request) => {
    // With an answer it was told before.
    if (!request.existingResponse()) add(request, null);
  });
  return {
    archive(browserVersion) {
      if (entries.length === 0) return null;
      const found = new Set<string>();
      const clean = (text: string) => {
        const { text: cleaned, redactions } = redactor.clean(text);
        for (const redaction of redactions) found.add(redaction);
        return cleaned;
      };
      const log = {
        version: "1.2",
        creator: { name: "Satchel", version: "1" },
        browser: { name: "Chromium", version: browserVersion },
        entries: entries.map((entry) => toHar(entry, clean)),
      };
      return { bytes: new TextEncoder().encode(JSON.stringify({ log })), redactions: [...LEFT_OUT, ...found] };
    },
  };
}

function entryOf(request: Request, response: Response | null): Entry {
  const headers = response?.headers() ?? {};
  const { location } = headers;
  const { startTime, responseEnd } = request.timing();
  return {
    startedDateTime: new Date(startTime > 0 ? startTime : Date.now()).toISOString(),
    time: Math.max(0, Math.round(responseEnd)),
    method: request.method().slice(0, 20),
    url: shownUrl(request.url()),
    status: response?.status() ?? 0,
    statusText: response ? "" : (request.failure()?.errorText.slice(0, 100) ?? ""),
    contentType: (headers["content-type"] ?? "").split(";")[0]?.slice(0, 100) ?? "",
    location: location === undefined ? "" : shownUrl(location, request.url()),
    resourceType: request.resourceType(),
  };
}

function toHar(entry: Entry, clean: (text: string) => string) {
  const { startedDateTime, time, method, status, statusText, contentType, location, resourceType } = entry;
  const url = clean(entry.url);
  const http = { httpVersion: "", cookies: [], headersSize: -1, bodySize: -1 };
  const queryString = [...(URL.parse(entry.url)?.searchParams.keys() ?? [])].map((name) => ({
    name: clean(name),
    value: "",
  }));
  return {
    ...{ startedDateTime, time, _resourceType: resourceType },
    request: { method, url, ...http, headers: [], queryString },
    response: {
      ...{ status, statusText, ...http },
      headers: contentType === "" ? [] : [{ name: "content-type", value: clean(contentType) }],
      content: { size: -1, mimeType: clean(contentType) },
      redirectURL: clean(location),
    },
    cache: {},
    timings: { send: -1, wait: time, receive: -1 },
  };
}

/** The address without what may be a secret: credentials, values of the query, long words of the path, the fragment. */
export function shownUrl(address: string, base?: string): string {
  const url = URL.parse(address, base);
  if (!url) return "";
  const path = url.pathname
    .split("/")
    .map((segment) => (isOpaque(segment) ? `${segment.slice(0, 6)}…` : segment))
    .join("/");
  const names = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name.slice(0, 60))}=`);
  const query = names.length === 0 ? "" : `?${names.join("&")}`;
  return `${url.origin}${path}${query}`.slice(0, LONGEST_URL);
}

const isOpaque = (segment: string) => segment.length > LONGEST_SEGMENT || OPAQUE.test(segment);
