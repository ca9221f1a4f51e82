/** States the facts of a browser request that decide whether it may leave. */
import type { Frame, Request } from "playwright-core";
import { contentKeyOf, isSafe, keyOf, operationIn, readKeyOf } from "../request-key.ts";
import { textOf } from "./carried-card.ts";
import type { Party, RequestFacts } from "./facts.ts";
import { blobsIn, opaqueValuesIn } from "./opaque-values.ts";
import type { Profile } from "./profile.ts";
import { permitFor } from "./profiles.ts";
import type { SocketMessage } from "./sockets.ts";

/** A request's own text: address, body and the headers that scripts set. */
export interface RequestContents {
  readonly url: string;
  readonly body: string;
  readonly headers: string;
}

/** What the facts of a request depend on. */
interface FactSources {
  readonly partyOf: (url: string) => Party;
  readonly isPayUrl: (url: string) => boolean;
  readonly carriesCard: (texts: readonly string[]) => boolean;
  readonly fingerprint: (value: string) => string;
  /** Whether a value with this fingerprint was in a request before the card was released. */
  readonly isKnownValue: (fingerprint: string) => boolean;
  /** Whether a request with this key was sent before the card was released. */
  readonly wasSeen: (key: string) => boolean;
  readonly profiles: readonly Profile[];
}

/** Headers of the browser. Scripts cannot set them, or they say nothing about the request. */
const BROWSER_HEADERS =
  /^(?:accept(?:-.*)?|cookie|user-agent|referer|origin|host|connection|content-(?:type|length)|cache-control|pragma|sec-.*|upgrade-insecure-requests|priority|dnt|:.*)$/;

export function contentsOf(request: Request): RequestContents {
  const headers = Object.entries(request.headers())
    .filter(([name]) => !BROWSER_HEADERS.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  const bytes = request.postDataBuffer();
  return { url: request.url(), body: bytes ? textOf(bytes) : "", headers };
}

/** Returns the facts of a message that a page sends through a WebSocket. Only messages to the merchant change its state. */
export function socketFactsOf({ url, text, kind, wasSeen }: SocketMessage, sources: FactSources): RequestFacts {
  const texts = [url, text];
  const address = url.replace(/^ws/, "http");
  const values = [...new Set(texts.flatMap((one) => [...opaqueValuesIn(one)]))].map(sources.fingerprint);
  const hasBlob = blobsIn(text).some((value) => !sources.isKnownValue(sources.fingerprint(value)));
  const target = sources.partyOf(address);
  return {
    ...{ kind, target, hasBlob, origin: new URL(address).origin },
    source: "merchant",
    isSafe: target !== "merchant" && !hasBlob,
    ...{ isBeacon: false, navigates: null, isPayUrl: false, permit: null, isScripted: true, namesPayment: false },
    carriesCard: sources.carriesCard(texts),
    values: values.filter((value) => !sources.isKnownValue(value)),
    ...{ wasSeen: wasSeen && !hasBlob, isRepeated: false },
  };
}

export function factsOf(request: Request, contents: RequestContents, sources: FactSources): RequestFacts {
  const { url, body, headers } = contents;
  const key = keyOf(request);
  const texts = [url, body, headers];
  const values = [...new Set(texts.flatMap((text) => [...opaqueValuesIn(text)]))].map(sources.fingerprint);
  const isNew = (value: string) => !sources.isKnownValue(sources.fingerprint(value));
  const hasBlob = [url, body].some((text) => blobsIn(withoutOrigin(text)).some(isNew));
  const { origin, pathname, search } = new URL(url);
  return {
    kind: key.kind,
    origin,
    target: sources.partyOf(url),
    source: sourceOf(request, sources.partyOf),
    isSafe: isSafe(request.method()),
    isBeacon: isBeacon(request),
    navigates: navigationOf(request),
    isPayUrl: sources.isPayUrl(url),
    carriesCard: sources.carriesCard(texts),
    values: values.filter((value) => !sources.isKnownValue(value)),
    hasBlob,
    wasSeen: !hasBlob && sources.wasSeen(isSafe(request.method()) ? readKeyOf(request) : key.exact),
    isRepeated: sources.wasSeen(contentKeyOf(request.method(), url, sources.fingerprint(body))),
    isScripted: /^(?:xhr|fetch)$/.test(request.resourceType()),
    namesPayment: PAYMENT_NAME.test(`${pathname} ${search} ${operationIn(body)}`),
    permit: permitFor(sources.profiles, { url: new URL(url), method: request.method(), body }),
  };
}

/** What places or pays an order, in names of addresses and operations. */
const PAYMENT_NAME = /complete|place|submit|confirm|finali[sz]e|capture|charge|purchase|pay(?!load)/i;

const withoutOrigin = (text: string) => text.replace(/^https?:\/\/[^/]+/, "");

/** Beacons have no response that a page reads. */
const isBeacon = (request: Request) => /^(?:ping|beacon|cspviolationreport)$/.test(request.resourceType());

function navigationOf(request: Request): "page" | "frame" | null {
  if (!request.isNavigationRequest()) return null;
  try {
    return request.frame().parentFrame() === null ? "page" : "frame";
  } catch {
    // The navigation's frame does not exist yet, so it is a new page.
    return "page";
  }
}

/** Returns the operator of the sending document. The main document sends what a worker or a new page does. */
function sourceOf(request: Request, partyOf: (url: string) => Party): Party {
  try {
    let frame: Frame | null = request.frame();
    // An `about:`, `blob:` or `data:` document belongs to the page that created it.
    while (frame && !/^https?:/.test(frame.url())) frame = frame.parentFrame();
    return frame === null ? "merchant" : partyOf(frame.url());
  } catch {
    return "merchant";
  }
}
