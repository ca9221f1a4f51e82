/** A reservation ends with its request, regardless of the stream's outcome. */
import { Readable } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import type { AccountViewer } from "../../src/accounts/viewer.ts";
import type { Attempt } from "../../src/gateway/attempt.ts";
import { deliverStream } from "../../src/gateway/deliver.ts";
import type { GatewayDeps } from "../../src/gateway/deps.ts";
import type { CallPayment } from "../../src/gateway/payment.ts";
import { chunk } from "./scripted-provider.ts";

afterEach(() => void vi.useRealTimers());

const TOTAL_MS = 1_800_000;

/** Delivers one chunk of a stream that has not ended. */
async function begin(promptTokens: () => Promise<number>) {
  const payment = {
    ...{ transactionId: "tx_1", reservedMicroUsd: 9n, knownMicroUsd: null },
    settle: vi.fn<CallPayment["settle"]>(async () => 5n),
    release: vi.fn<CallPayment["release"]>(async () => null),
  };
  const call = { id: "gwc_1", begin: vi.fn(), end: vi.fn() };
  const source = new Readable({ read() {} });
  source.push(chunk("Hello"));
  const attempt = {
    call,
    offer: { provider: { name: "own", costUnit: null, apiKey: null } },
    bound: { images: 0 },
    request: { body: {}, isUsageRequested: false },
    promptTokens,
  };
  const reply = await deliverStream(
    {
      logger: { error: vi.fn() },
      gateway: { timeouts: { idleMs: 60_000, totalMs: TOTAL_MS } },
    } as unknown as GatewayDeps,
    { accountId: "unused" } as AccountViewer,
    attempt as unknown as Attempt,
    { status: 200, headers: {}, body: source, payment },
  );
  return { stream: reply.stream as Readable, source, payment, call };
}

it("releases the reservation if the usage cannot be determined", async () => {
  const { stream, payment, call } = await begin(() => Promise.reject(new Error("not to be counted")));
  stream.destroy();
  await expect.poll(() => call.end.mock.calls.length).toBe(1);
  expect([payment.settle.mock.calls, payment.release.mock.calls.length]).toEqual([[], 1]);
  expect(call.end).toHaveBeenCalledWith({ status: "aborted", costMicroUsd: null });
});

it("stops a response that exceeds the maximum duration, and charges the forwarded part", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { source, payment } = await begin(async () => 7);
  vi.advanceTimersByTime(TOTAL_MS - 1);
  expect(source.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await expect.poll(() => payment.settle.mock.calls).toMatchObject([[{ prompt: 7, completion: 1, isEstimated: true }]]);
  expect(source.destroyed).toBe(true);
});
