import { expect, test } from "vitest";
import { createLogger } from "../../../src/platform/observability/logger.ts";

function capture() {
  const lines: string[] = [];
  const logger = createLogger("info", { write: (line) => void lines.push(line) });
  return {
    logger,
    last: () => JSON.parse(lines.at(-1) ?? "null") as Record<string, unknown>,
    text: () => lines.join(""),
  };
}

test("writes JSON lines with level and time", () => {
  const { logger, last } = capture();
  logger.info({ durationMs: 3 }, "done");
  expect(last()).toMatchObject({ level: "info", durationMs: 3, msg: "done" });
  expect(Date.parse(String(last()["time"]))).not.toBeNaN();
});

test.each([
  ["a top-level field", { Authorization: "s3cret" }],
  ["a nested field", { request: { attempts: [{ headers: { "X-PAYMENT": "s3cret" } }] } }],
  ["an object", { token: { value: "s3cret" } }],
  ["an error's field", { err: Object.assign(new Error("failed"), { config: { password: "s3cret" } }) }],
  ["bytes", { key: Buffer.from("s3cret") }],
])("redacts secrets in %s", (_case, fields) => {
  const { logger, text } = capture();
  logger.info(fields, "line");
  logger.child(fields).info("line");
  expect(text()).not.toMatch(/s3cret|73,33,63/);
  expect(text()).toMatch(/redacted|bytes/);
});

test("redacts Satchel's tokens anywhere in a line", () => {
  const { logger, text } = capture();
  logger.info(`GET /api/balance?token=satchel_sk_${"a1B2".repeat(12)}`);
  logger.warn({ err: new Error(`refused satchel_pt_${"Zz9".repeat(12)}`) }, "refused");
  expect(text()).toContain("satchel_sk_[redacted]");
  expect(text()).toContain("satchel_pt_[redacted]");
  expect(text()).not.toMatch(/a1B2|Zz9/);
});

test("does not change the caller's objects, and writes bigint values", () => {
  const { logger, last } = capture();
  const fields = { amountAtomic: 10n, headers: { cookie: "a=b" } };
  logger.info(fields, "line");
  expect(fields.headers.cookie).toBe("a=b");
  expect(last()).toMatchObject({ amountAtomic: "10", headers: { cookie: "[redacted]" } });
});
