import { expect, it, onTestFinished } from "vitest";
import { reportProgress } from "../../mcp/progress.ts";

const contextOf = (meta: object, notified: unknown[]) =>
  ({ mcpReq: { _meta: meta, notify: async (notification: unknown) => void notified.push(notification) } }) as never;

it("notifies with increasing progress while a call with a token runs", async () => {
  const notified: { params: { progress: number; progressToken: string } }[] = [];
  onTestFinished(reportProgress(contextOf({ progressToken: "t" }, notified), 2));
  await expect.poll(() => notified.length).toBeGreaterThan(2);
  expect(notified.map(({ params }) => params.progress)).toEqual(notified.map((_, index) => index + 1));
  expect(notified[0]).toMatchObject({ method: "notifications/progress", params: { progressToken: "t" } });
});

it("starts no timer without a token", () => {
  const active = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  reportProgress(contextOf({}, []), 2);
  expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout")).toHaveLength(active);
});
