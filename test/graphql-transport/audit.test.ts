import { serverAudits } from "graphql-http";
import { expect, test } from "vitest";
import { startServer } from "./server.ts";

test("GraphQL over HTTP passes every audit of the specification's working group", async () => {
  const { url } = await startServer({ introspection: true });
  const audits = serverAudits({ url });
  expect(audits.length).toBeGreaterThan(60);
  const results = await Promise.all(audits.map(({ fn }) => fn()));
  const failed = results.filter(({ status }) => status !== "ok");
  expect(failed.map(({ id, name, status }) => `${id} ${name}: ${status}`)).toEqual([]);
});
