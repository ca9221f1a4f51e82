/** HTTP client for the service's worker protocol, `/internal/worker/*`. */
import type { z } from "zod";
import type { ArtifactQuery, ClaimBody, StepsBody } from "../checkout/worker-protocol/bodies.ts";
import type { ReleasedCard, WorkerJob } from "../checkout/worker-protocol/job.ts";
import type { AnswerState, QuestionInput } from "../checkout/worker-protocol/question.ts";
import { type DriveResult, LeaseLostError } from "./session.ts";

type ClaimingWorker = Omit<z.input<typeof ClaimBody>, "waitMs">;
export type ReportedStep = z.input<typeof StepsBody>["steps"][number];
export type RequiredAction = "three_d_secure" | "security_code" | null;

export interface ArtifactUpload {
  readonly kind: z.input<typeof ArtifactQuery>["kind"];
  readonly contentType: "image/jpeg" | "application/json";
  readonly redactions: readonly string[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The part of the client that reports required actions. */
export interface RequiredActionClient {
  reportRequiredAction(lease: string, action: RequiredAction, waitMs: number | null): Promise<void>;
}

/** Every method throws {@link ServiceUnavailableError} without a usable response, and {@link LeaseLostError} if the lease is lost. */
export interface ServiceClient extends RequiredActionClient {
  /** Leases the next order. Null when none became available within `waitMs`. */
  claim(worker: ClaimingWorker, waitMs: number, signal: AbortSignal): Promise<WorkerJob | null>;
  renew(lease: string): Promise<void>;
  reportSteps(lease: string, steps: readonly ReportedStep[]): Promise<void>;
  /** Returns the artifact's id, or null when the order has reached its maximum number of artifacts. */
  uploadArtifact(lease: string, artifact: ArtifactUpload): Promise<string | null>;
  /** Asks the account owner. Repeating it returns the same question. Null if the service refuses the question. */
  ask(lease: string, question: QuestionInput): Promise<{ readonly id: string } | null>;
  /** Waits for the answer, at most `waitMs`. */
  awaitAnswer(lease: string, questionId: string, waitMs: number, signal: AbortSignal): Promise<AnswerState>;
  releaseCard(lease: string): Promise<ReleasedCard>;
  recordSubmission(lease: string): Promise<void>;
  /** Returns the order's new status. */
  finish(lease: string, result: DriveResult): Promise<string>;
}

/** The service did not respond, or responded with 429 or 5xx. Idempotent calls may be retried. */
export class ServiceUnavailableError extends Error {
  override readonly name = "ServiceUnavailableError";
}

/** The service rejected the request. A retry would fail again. */
class ServiceRefusedError extends Error {
  override readonly name = "ServiceRefusedError";
}

const CALL_MS = 10_000;

interface Call {
  readonly method?: "POST" | "PUT";
  readonly contentType?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export function createServiceClient(options: { readonly serviceUrl: string; readonly token: string }): ServiceClient {
  const { serviceUrl, token } = options;

  /** Returns null for status 413, when the service accepts no more data of this kind. */
  async function call<Body>(path: string, body: BodyInit, options: Call = {}): Promise<Body | null> {
    const { method = "POST", contentType = "application/json", timeoutMs = CALL_MS, signal } = options;
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${serviceUrl}/internal/worker/${path}`, {
        method,
        body,
        headers: { authorization: `Bearer ${token}`, "content-type": contentType },
        // Neither the token nor the response may go to another host.
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      text = await response.text();
    } catch {
      throw new ServiceUnavailableError("The service did not respond.");
    }
    const { status, ok } = response;
    const result = parse(text);
    if (ok && result) return result as Body;
    const code = typeof result?.["error"] === "string" ? result["error"].slice(0, 60) : null;
    if (status === 409 && code === "lease_lost")
      throw new LeaseLostError("The lease was lost. The order no longer belongs to this worker.");
    if (status === 413) return null;
    if (status >= 500 || status === 429 || ok)
      throw new ServiceUnavailableError(`The service responded with status ${status}.`);
    throw new ServiceRefusedError(`The service rejected the request with status ${status}${code ? `, ${code}` : ""}.`);
  }

  async function callLease<Body = object>(lease: string, verb: string, body: object = {}): Promise<Body> {
    const result = await call<Body>(`leases/${encodeURIComponent(lease)}/${verb}`, JSON.stringify(body));
    if (!result) throw new ServiceRefusedError("The service rejected the request with status 413.");
    return result;
  }

  return {
    async claim(worker, waitMs, signal) {
      const body = JSON.stringify({ ...worker, waitMs });
      const options = { timeoutMs: waitMs + CALL_MS, signal };
      return (await call<{ job: WorkerJob | null }>("claim", body, options))?.job ?? null;
    },
    renew: async (lease) => void (await callLease(lease, "renew")),
    reportSteps: async (lease, steps) => void (await callLease(lease, "steps", { steps })),
    async uploadArtifact(lease, { kind, contentType, redactions, bytes }) {
      const query = new URLSearchParams({ kind, redactions: redactions.join(",") });
      const path = `leases/${encodeURIComponent(lease)}/artifacts?${query}`;
      return (await call<{ artifactId: string }>(path, bytes, { method: "PUT", contentType }))?.artifactId ?? null;
    },
    reportRequiredAction: async (lease, action, waitMs) =>
      void (await callLease(lease, "person-needed", { for: action, waitMs })),
    async ask(lease, question) {
      try {
        return (await callLease<{ question: { id: string } }>(lease, "questions", question)).question;
      } catch (error) {
        if (error instanceof ServiceRefusedError) return null;
        throw error;
      }
    },
    async awaitAnswer(lease, questionId, waitMs, signal) {
      const path = `leases/${encodeURIComponent(lease)}/questions/${encodeURIComponent(questionId)}/answer`;
      const options = { timeoutMs: waitMs + CALL_MS, signal };
      return (await call<AnswerState>(path, JSON.stringify({ waitMs }), options)) ?? { status: "expired" };
    },
    releaseCard: async (lease) => (await callLease<{ card: ReleasedCard }>(lease, "card")).card,
    async recordSubmission(lease) {
      const { maySubmit } = await callLease<{ maySubmit?: boolean }>(lease, "submitting");
      if (maySubmit !== true)
        throw new LeaseLostError("The service did not permit the submission. The card was not submitted.");
    },
    finish: async (lease, result) => (await callLease<{ status: string }>(lease, "finish", result)).status,
  };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
