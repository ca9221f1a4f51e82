/**
 * Spans for what takes the time of a request or a job: statements, requests to others, calls of chains, letters, and jobs
 * themselves. Without tracing each of these functions returns what it was given, or only runs it. No statement's values,
 * no path, no query, no parameter and nobody's address leave the machine.
 */
import type { PrismaClient } from "../../../generated/prisma/client.ts";
import type { Database } from "../database/connection.ts";
import type { Egress } from "../egress/egress.ts";
import type { Jobs } from "../jobs/queue.ts";
import { isInSpan, isTracing, withSpan } from "./tracing.ts";

const SYSTEM = { "db.system.name": "postgresql" };

/** A span for each statement of a request or a job; what runs by itself, such as looking for work, has none. */
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

/** A span for each request, until its answer begins. Nobody else is told of the trace. */
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

/** A span for each run: the root of what the job does. */
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

/** A span for one JSON-RPC call of a chain, by its method. The address of an RPC may hold a key, and stays here. */
export function tracedRpcCall<Answer>(
  network: string,
  method: () => string,
  call: () => Promise<Answer>,
): Promise<Answer> {
  if (!isInSpan()) return call();
  const name = method();
  const attributes = { "rpc.system.name": "jsonrpc", "rpc.method": name, "satchel.network": network };
  return withSpan(name, { kind: "client", attributes }, call);
}

const SMTP = { "network.protocol.name": "smtp" };

/** A span for handing one letter to the mail server, part of the request or job that sends it. */
export function tracedSend<Sent>(send: () => Promise<Sent>): Promise<Sent> {
  return isInSpan() ? withSpan("SMTP send", { kind: "client", attributes: SMTP }, send) : send();
}

/** A span for taking one letter that comes in: the root of what is done with it. */
export function tracedReceive<Taken>(take: () => Promise<Taken>): Promise<Taken> {
  return withSpan("SMTP receive", { kind: "server", attributes: SMTP }, take);
}
