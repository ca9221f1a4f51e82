/** AWS KMS fails while the service runs. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ADMIN_TOKEN, type OwnStack, startStack } from "../support/stack.ts";
import { startFakeKms } from "./fake-kms.ts";

let kms: Awaited<ReturnType<typeof startFakeKms>>;
let stack: OwnStack;
beforeAll(async () => {
  kms = await startFakeKms(["alias/satchel"]);
  vi.stubEnv("AWS_ENDPOINT_URL_KMS", kms.endpoint);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  stack = await startStack({ env: { AWS_KMS_KEY_ID: "alias/satchel" } });
});
afterAll(async () => {
  await stack?.stop();
  vi.unstubAllEnvs();
});

it("responds with 503 and Retry-After to requests that need a key, and serves the others", async () => {
  const { token } = await stack.account();
  await kms.stop();
  const created = await stack.graphql(
    null,
    `mutation { createAccount(input: { email: "later@example.test" }) { __typename } }`,
    {},
    { authorization: `Bearer ${ADMIN_TOKEN}` },
  );
  expect([created.status, created.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(created.json.errors[0].extensions).toMatchObject({ code: "service_unavailable", retryAfterMs: 5_000 });
  expect(created.text).not.toMatch(/kms/i);
  expect(await stack.service.deps.db.prisma.account.count({ where: { email: "later@example.test" } })).toBe(0);
  expect((await stack.rest(token, "GET", "/api/transactions")).status).toBe(200);
});
