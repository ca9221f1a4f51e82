/**
 * Records a checkout's HTTP traffic as HAR 1.2. Bodies, cookies, query values and most headers are never recorded, so they
 * cannot leak through incomplete redaction.
 */
import type { BrowserContext, Request, Response } from "playwright-core";
import type { Redactor } from "./redact.ts";

export interface Traffic {
  /** Returns the archive so far and the kinds of data omitted or redacted. Null if no request was recorded. */
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
const MAX_URL_LENGTH = 1_000;
/** Longest path segment shown in full. Longer ones, and mixed letters and digits, are likely session or cart ids. */
const MAX_SEGMENT_LENGTH = 32;
const OPAQUE = /^(?=.*\d)(?=.*[a-z])[a-z\d]{12,}$/i;
const OMITTED = ["bodies", "cookies", "headers", "query_values"];

/** Starts recording the requests of a context. */
export function recordTraffic(context: BrowserContext, redactor: Redactor): Traffic {
  const entries: Entry[] = [];
  const add = (request: Request, response: Response | null) => {
    if (entries.length < MAX_ENTRIES && /^https?:/.test(request.url())) entries.push(entryOf(request, response));
  };
  context.on("response", (response) => add(response.request(), response));
  context.on("requestfailed", (request) => {
    // A request with a response was already recorded by the response event.
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
      return { bytes: new TextEncoder().encode(JSON.stringify({ log })), redactions: [...OMITTED, ...found] };
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
    url: redactUrl(request.url()),
    status: response?.status() ?? 0,
    statusText: response ? "" : (request.failure()?.errorText.slice(0, 100) ?? ""),
    contentType: (headers["content-type"] ?? "").split(";")[0]?.slice(0, 100) ?? "",
    location: location === undefined ? "" : redactUrl(location, request.url()),
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

/** Returns a URL without credentials, query values, id-like path segments and fragment. */
export function redactUrl(address: string, base?: string): string {
  const url = URL.parse(address, base);
  if (!url) return "";
  const path = url.pathname
    .split("/")
    .map((segment) => (isOpaque(segment) ? `${segment.slice(0, 6)}…` : segment))
    .join("/");
  const names = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name.slice(0, 60))}=`);
  const query = names.length === 0 ? "" : `?${names.join("&")}`;
  return `${url.origin}${path}${query}`.slice(0, MAX_URL_LENGTH);
}

const isOpaque = (segment: string) => segment.length > MAX_SEGMENT_LENGTH || OPAQUE.test(segment);
