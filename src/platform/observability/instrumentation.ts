/**
 * Spans for database statements, outgoing requests, RPC calls, emails and jobs. Without tracing, these functions return
 * their argument or only call it. Spans never contain statement values, URL paths, queries, parameters or email addresses.
 */
import type { PrismaClient } from "../../../generated/prisma/client.ts";
import type { Database } from "../database/connection.ts";
import type { Egress } from "../egress/egress.ts";
import type { Jobs } from "../jobs/queue.ts";
import { isInSpan, isTracing, withSpan } from "./tracing.ts";

const SYSTEM = { "db.system.name": "postgresql" };

/** Wraps a database: a span for each statement within a request or job. Statements outside of them, such as polls, have none. */
export function tracedDatabase(db: Database): Database {
  if (!isTracing()) return db;
  const prisma = db.prisma.$extends({
    query: {
      $allOperations({ model, operation, args, query }) {
        if (!isInSpan()) return query(args);
        const attributes = { ...SYSTEM, "db.operation.name": operation, ...(model && { "db.collection.name": model }) };
        return withSpan(model ? `${operation} ${model}` : operation, { kind: "client", attributes }, () => query(args));
      },
    },
  });
  return {
    ...db,
    prisma: prisma as unknown as PrismaClient,
    query(statement, values) {
      if (!isInSpan()) return db.query(statement, values);
      const attributes = { ...SYSTEM, "db.query.summary": statement.name };
      return withSpan(statement.name, { kind: "client", attributes }, () => db.query(statement, values));
    },
  };
}

/** Wraps an egress: a span for each request until its response headers. Targets receive no trace headers. */
export function tracedEgress(egress: Egress): Egress {
  if (!isTracing()) return egress;
  return {
    ...egress,
    request(input) {
      if (!isInSpan()) return egress.request(input);
      const { method } = input;
      const host = URL.parse(input.url)?.hostname;
      const attributes = { "http.request.method": method, ...(host && { "server.address": host }) };
      return withSpan(method, { kind: "client", attributes }, async (span) => {
        const response = await egress.request(input);
        span?.setAttribute("http.response.status_code", response.status);
        return response;
      });
    },
  };
}

/** Wraps the job queue: a root span for each run of a job. */
export function tracedJobs(jobs: Jobs): Jobs {
  if (!isTracing()) return jobs;
  return {
    ...jobs,
    repeat: (name, everyMs, work) => jobs.repeat(name, everyMs, () => withSpan(`job ${name}`, {}, work)),
    async queue<Payload extends object>(name: string, options: Parameters<Jobs["queue"]>[1]) {
      const queue = await jobs.queue<Payload>(name, options);
      return {
        ...queue,
        work: (handler: (payload: Payload, jobId: string) => Promise<void>) =>
          queue.work((payload, jobId) => withSpan(`job ${name}`, {}, () => handler(payload, jobId))),
      };
    },
  };
}

/** Runs one JSON-RPC call in a span named after its method. The span omits the RPC URL, which may contain an API key. */
export function tracedRpcCall<Result>(
  network: string,
  method: () => string,
  call: () => Promise<Result>,
): Promise<Result> {
  if (!isInSpan()) return call();
  const name = method();
  const attributes = { "rpc.system.name": "jsonrpc", "rpc.method": name, "satchel.network": network };
  return withSpan(name, { kind: "client", attributes }, call);
}

const SMTP = { "network.protocol.name": "smtp" };

/** Sends one email in a span, as part of the request or job that sends it. */
export function tracedSend<Result>(send: () => Promise<Result>): Promise<Result> {
  return isInSpan() ? withSpan("SMTP send", { kind: "client", attributes: SMTP }, send) : send();
}

/** Receives one message in a root span. */
export function tracedReceive<Result>(receive: () => Promise<Result>): Promise<Result> {
  return withSpan("SMTP receive", { kind: "server", attributes: SMTP }, receive);
}
