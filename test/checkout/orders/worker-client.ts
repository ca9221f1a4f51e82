/** A client of the worker protocol over HTTP. */
import { MAX_SLOTS } from "../../../src/checkout/worker-protocol/slots.ts";
import { type Stack, type TestResponse, WORKER_TOKEN } from "../../support/stack.ts";

export { WORKER_TOKEN };

export interface Job {
  readonly lease: string;
  readonly orderId: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read jobs of every shape.
  readonly [field: string]: any;
}

/** Sends a protocol request under a lease; `verb` such as `renew`. */
export type SendRequest = (lease: string, verb: string, body?: object) => Promise<TestResponse>;

export function createWorkerClient(stack: Stack, token = WORKER_TOKEN) {
  const headers = { authorization: `Bearer ${token}` };
  const post = (path: string, body: object) => stack.rest(null, "POST", `/internal/worker/${path}`, body, headers);
  // The maximum number of slots, so that leases of earlier tests do not reach the limits of an account.
  const claim = (body: object = {}) =>
    post("claim", { workerUrl: "http://127.0.0.1:9999", slots: MAX_SLOTS, waitMs: 0, ...body });
  return {
    claim,
    /** Claims the next order; throws when none is pending. */
    async claimNext(): Promise<Job> {
      const { status, text, json } = await claim();
      if (status !== 200 || !json.job) throw new Error(`No order was claimed: ${status} ${text}`);
      return json.job;
    },
    /** Requests the card, then the submission, as required before any outcome reported by the merchant. */
    async submit(lease: string): Promise<TestResponse> {
      await post(`leases/${lease}/card`, {});
      return await post(`leases/${lease}/submitting`, {});
    },
    send: ((lease, verb, body = {}) => post(`leases/${lease}/${verb}`, body)) satisfies SendRequest,
    async putArtifact(lease: string, query: string, contentType: string, body: BodyInit) {
      const url = `${stack.baseUrl}/internal/worker/leases/${lease}/artifacts?${query}`;
      const response = await fetch(url, { method: "PUT", headers: { ...headers, "content-type": contentType }, body });
      return { status: response.status, json: (await response.json()) as { artifactId: string; error: string } };
    },
  };
}
