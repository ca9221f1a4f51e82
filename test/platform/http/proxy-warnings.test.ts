import { expect, it } from "vitest";
import { createHttpServer } from "../../../src/platform/http/server.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createMetrics } from "../../../src/platform/observability/metrics.ts";

async function warningsOf(config: { BASE_URL?: string; TRUST_PROXY?: string[] }, requests: Record<string, string>[]) {
  const lines: string[] = [];
  const app = createHttpServer({
    config: {
      BASE_URL: undefined,
      CORS_ORIGINS: [],
      ACCESS_LOG: true,
      ACCESS_LOG_ADDRESS: "none",
      TRUST_PROXY: [],
      ...config,
    },
    logger: createLogger("warn", { write: (line) => void lines.push(line) }),
    metrics: createMetrics(),
  });
  app.get("/", async () => "");
  app.get("/health/ready", async () => "");
  for (const { url = "/", ...headers } of requests) await app.inject({ url, headers });
  await app.close();
  return lines;
}

const BASE_URL = "https://satchel.example";

it("warns once about a Host other than that of BASE_URL", async () => {
  const lines = await warningsOf({ BASE_URL }, [
    { host: "satchel.example" },
    { host: "10.0.0.7:4000", url: "/health/ready" },
    { host: "www.satchel.example" },
    { host: "other.example" },
  ]);
  expect(lines).toEqual([expect.stringMatching(/"host":"www\.satchel\.example".*Set BASE_URL/)]);
});

it("compares the original host of a trusted proxy", async () => {
  const forwarded = { host: "10.0.0.7", "x-forwarded-host": "satchel.example", "x-forwarded-for": "203.0.113.9" };
  expect(await warningsOf({ BASE_URL, TRUST_PROXY: ["127.0.0.1"] }, [forwarded])).toEqual([]);
});

it("warns once about X-Forwarded-For without TRUST_PROXY", async () => {
  const forwarded = { "x-forwarded-for": "203.0.113.9" };
  expect(await warningsOf({}, [forwarded, forwarded])).toEqual([expect.stringContaining("Set TRUST_PROXY")]);
  expect(await warningsOf({}, [{}])).toEqual([]);
});
