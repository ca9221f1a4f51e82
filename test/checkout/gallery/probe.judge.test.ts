import { it, vi } from "vitest";
import { listCases, runCases } from "./run.ts";

vi.setConfig({ testTimeout: 3_000_000 });
it("probe", async () => {
  const only = process.env["GALLERY"]?.split(",");
  const cases = (await listCases()).filter(({ name, fault }) => (only ? only.includes(name) : !fault));
  await runCases(cases, (r) => console.log(JSON.stringify(r)));
});
