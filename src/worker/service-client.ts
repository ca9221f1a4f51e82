/** What a worker says to the service: `/internal/worker/*`, over HTTP. */
import type { z } from "zod";
import type { ArtifactQuery, StepsBody } from "../checkout/worker-protocol/bodies.ts";
import type { ReleasedCard, WorkerJob } from "../checkout/worker-protocol/job.ts";
import { type DriveResult, LeaseLostError } from "./session.ts";

export type ToldStep = z.input<typeof StepsBody>["steps"][number];
export type NeededFor = "three_d_secure" | "security_code" | null;

export interface ToldArtifact {
  readonly kind: z.input<typeof ArtifactQuery>["kind"];
  readonly contentType: "image/jpeg" | "application/json";
  readonly redactions: readonly string[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Each throws {@link ServiceAwayError} when it was not answered, and under a lease {@link LeaseLostError}. */
export interface ServiceClient {
  /** Null when no order came within `waitMs`. */
  claim(workerUrl: string, waitMs: number, signal: AbortSignal): Promise<WorkerJob | null>;
  renew(lease: string): Promise<void>;
  tellSteps(lease: string, steps: readonly ToldStep[]): Promise<void>;
  /** The artifact's id; null where the order has as many as it may. */
  keepArtifact(lease: string, artifact: ToldArtifact): Promise<string | null>;
  tellPersonNeeded(lease: string, what: NeededFor, waitMs: number | null): Promise<void>;
  releaseCard(lease: string): Promise<ReleasedCard>;
  submitting(lease: string): Promise<void>;
  /** The order's state from then on. */
  finish(lease: string, result: DriveResult): Promise<string>;
}

/** The service did not answer, or not now: the same may be asked again, where asking again does no harm. */
export class ServiceAwayError extends Error {
  override readonly name = "ServiceAwayError";
}

/** The service does not take what it was told. */
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

  /** Null: there is no more room for it. */
  async function call<Answer>(path: string, body: BodyInit, options: Call = {}): Promise<Answer | null> {
    const { method = "POST", contentType = "application/json", timeoutMs = CALL_MS, signal } = options;
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${serviceUrl}/internal/worker/${path}`, {
        method,
        body,
        headers: { authorization: `Bearer ${token}`, "content-type": contentType },
        // Neither the token nor what is answered goes anywhere else.
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      text = await response.text();
    } catch {
      throw new ServiceAwayError("The service does not answer.");
    }
    const { status, ok } = response;
    const answer = parse(text);
    if (ok && answer) return answer as Answer;
    const code = typeof answer?.["error"] === "string" ? answer["error"].slice(0, 60) : null;
    if (status === 409 && code === "lease_lost") throw new LeaseLostError("The order is not this worker's any more.");
    if (status === 413) return null;
    if (status >= 500 || status === 429 || ok)
      throw new ServiceAwayError(`The service answered with status ${status}.`);
    throw new ServiceRefusedError(`The service answered with status ${status}${code ? `, ${code}` : ""}.`);
  }

  async function say<Answer = object>(lease: string, verb: string, body: object = {}): Promise<Answer> {
    const answer = await call<Answer>(`leases/${encodeURIComponent(lease)}/${verb}`, JSON.stringify(body));
    if (!answer) throw new ServiceRefusedError("The service takes no more of it.");
    return answer;
  }

  return {
    async claim(workerUrl, waitMs, signal) {
      const body = JSON.stringify({ workerUrl, waitMs });
      const options = { timeoutMs: waitMs + CALL_MS, signal };
      return (await call<{ job: WorkerJob | null }>("claim", body, options))?.job ?? null;
    },
    renew: async (lease) => void (await say(lease, "renew")),
    tellSteps: async (lease, steps) => void (await say(lease, "steps", { steps })),
    async keepArtifact(lease, { kind, contentType, redactions, bytes }) {
      const query = new URLSearchParams({ kind, redactions: redactions.join(",") });
      const path = `leases/${encodeURIComponent(lease)}/artifacts?${query}`;
      return (await call<{ artifactId: string }>(path, bytes, { method: "PUT", contentType }))?.artifactId ?? null;
    },
    tellPersonNeeded: async (lease, what, waitMs) => void (await say(lease, "person-needed", { for: what, waitMs })),
    releaseCard: async (lease) => (await say<{ card: ReleasedCard }>(lease, "card")).card,
    async submitting(lease) {
      const { maySubmit } = await say<{ maySubmit?: boolean }>(lease, "submitting");
      if (maySubmit !== true) throw new LeaseLostError("The service does not say that the card may be submitted.");
    },
    finish: async (lease, result) => (await say<{ status: string }>(lease, "finish", result)).status,
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
