/**
 * HTTP API for checkout workers: `/internal/worker/*`, authenticated by the worker token. Pages of other sites cannot call
 * it, and the reverse proxy must not expose it to the internet.
 */

import { setTimeout as after } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isBearer } from "../../platform/http/bearer.ts";
import { errorBody } from "../../platform/http/error-response.ts";
import type { SecurityLog } from "../../platform/observability/security-log.ts";
import type { JobDeps } from "../orders/deps.ts";
import { finishOrder } from "../orders/finish-order.ts";
import {
  type ClaimingWorker,
  claimOrder,
  LEASE_MS,
  type LeasedOrder,
  LeaseLostError,
  renewLease,
  submitOrder,
} from "../orders/leases.ts";
import { recordArtifact, recordPersonNeeded, recordSteps } from "../orders/record-run.ts";
import { releaseCard } from "../orders/release-card.ts";
import { askQuestion, awaitAnswer, QuestionRefusedError } from "../questions/ask-question.ts";
import type { QuestionDeps } from "../questions/deps.ts";
import { AnswerBody, ArtifactQuery, ClaimBody, FinishBody, PersonNeededBody, StepsBody } from "./bodies.ts";
import { createJob, type ReleasedCard } from "./job.ts";
import { QuestionBody } from "./question.ts";

const BASE = "/internal/worker";
const LEASE = `${BASE}/leases/:lease`;
/** Polling interval of a waiting claim. */
const POLL_INTERVAL_MS = 500;
const MAX_ARTIFACT_BYTES = 10 * 1_048_576;

type LeaseRoute = { Params: { lease: string } };
type AnswerRoute = { Params: { lease: string; questionId: string } };

/** @param tokens all valid tokens of workers */
export function registerWorkerProtocol(
  app: FastifyInstance,
  deps: JobDeps & QuestionDeps & { readonly securityLog: SecurityLog },
  tokens: readonly string[],
): void {
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  app.register(async (scope) => {
    scope.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      if (isBearer(request, tokens)) return;
      const { id: requestId, ip } = request;
      deps.securityLog("signature.rejected", {
        outcome: "failure",
        requestId,
        ip,
        details: { sender: "checkout_worker" },
      });
      return sendError(reply, 401, "unauthorized", "The worker token is missing or wrong.");
    });
    scope.setErrorHandler(sendErrorResponse);
    scope.addContentTypeParser(
      ["image/png", "image/jpeg", "text/html"],
      { parseAs: "buffer" },
      (_request, body, done) => done(null, body),
    );

    scope.post(`${BASE}/claim`, async (request, reply) => {
      const { waitMs, ...worker } = ClaimBody.parse(request.body);
      const leased = await waitForOrder(deps, worker, waitMs, () => closing.signal.aborted || request.socket.destroyed);
      return reply.send({ job: leased && createJob(leased, deps) });
    });
    scope.post<LeaseRoute>(`${LEASE}/renew`, async ({ params }, reply) => {
      await renewLease(deps, params.lease);
      return reply.send({ leasedForMs: LEASE_MS });
    });
    scope.post<LeaseRoute>(`${LEASE}/steps`, async ({ params, body }, reply) => {
      await recordSteps(deps, params.lease, StepsBody.parse(body).steps);
      return reply.send({});
    });
    scope.post<LeaseRoute>(`${LEASE}/person-needed`, async ({ params, body }, reply) => {
      const needed = PersonNeededBody.parse(body);
      await recordPersonNeeded(deps, params.lease, needed.for, needed.waitMs);
      return reply.send({});
    });
    scope.post<LeaseRoute>(`${LEASE}/questions`, async ({ params, body }, reply) => {
      return reply.send({ question: await askQuestion(deps, params.lease, QuestionBody.parse(body)) });
    });
    scope.post<AnswerRoute>(`${LEASE}/questions/:questionId/answer`, async (request, reply) => {
      const { lease, questionId } = request.params;
      const { waitMs } = AnswerBody.parse(request.body);
      const isCancelled = () => closing.signal.aborted || request.socket.destroyed;
      return reply.send(await awaitAnswer(deps, lease, { questionId, waitMs }, isCancelled));
    });
    scope.put<LeaseRoute>(`${LEASE}/artifacts`, { bodyLimit: MAX_ARTIFACT_BYTES }, async (request, reply) => {
      const { kind, redactions } = ArtifactQuery.parse(request.query);
      const contentType = (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
      const bytes = readBodyBytes(request.body);
      const id = await recordArtifact(deps, request.params.lease, { kind, contentType, redactions, bytes });
      if (id === null)
        return sendError(reply, 413, "too_many_artifacts", "The order has the maximum number of artifacts.");
      return reply.send({ artifactId: id });
    });
    scope.post<LeaseRoute>(`${LEASE}/card`, async ({ params }, reply) => {
      const card: ReleasedCard = await releaseCard(deps, params.lease);
      return reply.send({ card });
    });
    scope.post<LeaseRoute>(`${LEASE}/submitting`, async ({ params }, reply) => {
      await submitOrder(deps, params.lease);
      return reply.send({ maySubmit: true });
    });
    scope.post<LeaseRoute>(`${LEASE}/finish`, async ({ params, body }, reply) => {
      const { status } = await finishOrder(deps, params.lease, FinishBody.parse(body));
      return reply.send({ status });
    });
  });
}

/**
 * Waits for an order and leases it. Returns null after the wait. Leases nothing to a worker that has disconnected, because
 * the order would be lost with the lease.
 */
async function waitForOrder(
  deps: JobDeps,
  worker: ClaimingWorker,
  waitMs: number,
  isCancelled: () => boolean,
): Promise<LeasedOrder | null> {
  const untilMs = Date.now() + waitMs;
  while (!isCancelled()) {
    const leased = await claimOrder(deps, worker);
    if (leased || Date.now() + POLL_INTERVAL_MS > untilMs) return leased;
    await after(POLL_INTERVAL_MS);
  }
  return null;
}

/** Returns the bytes of a request body; Fastify has already parsed a HAR as JSON. */
function readBodyBytes(body: unknown): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body ?? null)));
}

function sendError(reply: FastifyReply, status: number, error: string, message: string): FastifyReply {
  return reply.code(status).send(errorBody(error, message));
}

function sendErrorResponse(error: Error, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof LeaseLostError) {
    return sendError(reply, 409, "lease_lost", "The lease no longer holds the order. Stop immediately.");
  }
  if (error instanceof QuestionRefusedError) return sendError(reply, 409, "question_refused", error.message);
  if (error instanceof z.ZodError) {
    const [{ path = [], message = "" } = {}] = error.issues;
    return sendError(reply, 400, "invalid_request", `${path.join(".") || "body"}: ${message}`);
  }
  // The application's error handler responds to errors of Fastify and to unexpected errors.
  throw error;
}
