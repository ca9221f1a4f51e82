/** Waiting of a worker for an answer: through restarts of the service, and without use of the order's time limit. */
import { expect, it } from "vitest";
import type { AnswerState } from "../../src/checkout/worker-protocol/question.ts";
import { askOwner } from "../../src/worker/ask-owner.ts";
import { ServiceUnavailableError } from "../../src/worker/service-client.ts";
import { LeaseLostError } from "../../src/worker/session.ts";

const QUESTION = { purpose: "company", kind: "text", merchantText: "Company" } as const;
const unavailable = () => new ServiceUnavailableError("The service did not respond.");

function start(asked: { readonly id: string } | null, states: (AnswerState | Error)[]) {
  const calls: string[] = [];
  const stopped = new AbortController();
  const activeLease = {
    signal: stopped.signal,
    pause() {
      calls.push("pause");
      return () => calls.push("resume");
    },
    giveUp: (reason: Error) => stopped.abort(reason),
  };
  const client = {
    ask: async () => asked,
    async awaitAnswer(): Promise<AnswerState> {
      const state = states.shift() ?? { status: "expired" };
      if (state instanceof Error) throw state;
      return state;
    },
  };
  return { calls, stopped, answer: askOwner({ client, lease: "wjb_1", activeLease }, QUESTION) };
}

it("returns the answer after a restart of the service, with the time limit stopped meanwhile", async () => {
  const { calls, answer } = start({ id: "qst_1" }, [unavailable(), { status: "answered", answer: "Engines Ltd" }]);
  expect(await answer).toBe("Engines Ltd");
  expect(calls).toEqual(["pause", "resume"]);
});

it("returns null without an answer in time, and for a refused question", async () => {
  expect(await start({ id: "qst_1" }, [{ status: "expired" }]).answer).toBeNull();
  expect(await start(null, []).answer).toBeNull();
});

it("rejects when the lease is lost, and gives the order up", async () => {
  const lost = new LeaseLostError("The lease was lost.");
  const { answer, calls, stopped } = start({ id: "qst_1" }, [lost]);
  await expect(answer).rejects.toBe(lost);
  expect([calls.at(-1), stopped.signal.reason]).toEqual(["resume", lost]);
});
