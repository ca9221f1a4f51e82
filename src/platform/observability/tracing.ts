/** OpenTelemetry traces. Without a configured endpoint the SDK is not loaded and tracing has no cost. */
import type { Attributes, Span, TextMapGetter, Tracer } from "@opentelemetry/api";

type Api = typeof import("@opentelemetry/api");

let active: { readonly api: Api; readonly tracer: Tracer } | null = null;

export interface Tracing {
  /** Exports the remaining spans and disables tracing. */
  close(): Promise<void>;
}

/**
 * Enables tracing for this process.
 *
 * @param options.endpoint base URL of an OTLP/HTTP receiver; spans are sent to `<endpoint>/v1/traces`
 */
export async function startTracing(options: {
  endpoint: string;
  serviceName: string;
  version?: string;
}): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({
      "service.name": options.serviceName,
      ...(options.version ? { "service.version": options.version } : {}),
    }),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces` }))],
  });
  provider.register();
  active = { api, tracer: provider.getTracer(options.serviceName) };
  return {
    async close() {
      active = null;
      // An unavailable receiver must not prevent shutdown.
      await provider.shutdown().catch(() => {});
      api.trace.disable();
      api.context.disable();
      api.propagation.disable();
    },
  };
}

/** Returns true if spans are recorded. */
export function isTracing(): boolean {
  return active !== null;
}

/** Returns true if a span is active, which would be the parent of a new span. */
export function isInSpan(): boolean {
  return active !== null && active.api.trace.getActiveSpan() !== undefined;
}

/**
 * Runs `work` in a new span. An error is rethrown; the span records its name, never its message.
 *
 * @param options.kind `client` for a request to another process, `server` for a request from one; internal by default
 *
 * @param options.attributes exported, so they must not contain secrets
 */
export function withSpan<Result>(
  name: string,
  options: { readonly kind?: "client" | "server"; readonly attributes?: Attributes },
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  if (active === null) return work(null);
  const { api, tracer } = active;
  const { attributes = {} } = options;
  const kind = { client: api.SpanKind.CLIENT, server: api.SpanKind.SERVER, none: api.SpanKind.INTERNAL }[
    options.kind ?? "none"
  ];
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  });
}

export interface RequestSpan {
  /** Runs `work` with this span as the active span. */
  run(work: () => void): void;
  end(route: string, status: number): void;
}

const headerGetter: TextMapGetter<Readonly<Record<string, string | string[] | undefined>>> = {
  get: (headers, name) => headers[name],
  keys: (headers) => Object.keys(headers),
};

/** Starts the span of an HTTP request, a child of its `traceparent` (W3C Trace Context). Returns null if tracing is disabled. */
export function startRequestSpan(request: {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}): RequestSpan | null {
  if (active === null) return null;
  const { api, tracer } = active;
  const parent = api.propagation.extract(api.ROOT_CONTEXT, request.headers, headerGetter);
  const options = { kind: api.SpanKind.SERVER, attributes: { "http.request.method": request.method } };
  const span = tracer.startSpan(request.method, options, parent);
  const context = api.trace.setSpan(parent, span);
  return {
    run: (work) => api.context.with(context, work),
    end(route, status) {
      span.updateName(`${request.method} ${route}`);
      span.setAttributes({ "http.route": route, "http.response.status_code": status });
      if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
  };
}
