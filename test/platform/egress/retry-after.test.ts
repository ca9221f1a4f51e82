import { expect, onTestFinished, test, vi } from "vitest";
import { readRetryAfterMs } from "../../../src/platform/egress/retry-after.ts";

test.each([
  ["0", 0],
  ["2", 2_000],
  ["Thu, 26 Nov 2026 08:00:30 GMT", 30_000],
  ["Thursday, 26-Nov-26 08:00:30 GMT", 30_000],
  ["Thu, 26 Nov 2026 07:00:00 GMT", 0],
  ["2.5", null],
  ["-1", null],
  ["soon", null],
  ["9999999999", null],
  ["", null],
  [["1", "2"], null],
  [undefined, null],
])("reads Retry-After %j as %j ms", (header, delayMs) => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-26T08:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  expect(readRetryAfterMs(header === undefined ? {} : { "retry-after": header })).toBe(delayMs);
});
