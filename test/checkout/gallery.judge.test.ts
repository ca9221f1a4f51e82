/**
 * Orders at every checkout of the gallery, by the real service, worker and browser. `npm run gallery` runs this file.
 * `GALLERY=<name>,…` selects checkouts, `GALLERY=open` all healthy ones that are not held back, `GALLERY=held-back` the others. Other runs of this class skip it, since it lasts ten minutes. `GALLERY_UPDATE=1` records
 * the results. `GALLERY_RESULT` is the path of a JSON file. `GALLERY_PROFILES` is `none`, `swapped` or `mutated`: then no result may be
 * wrong, and nothing else is compared.
 */
import { writeFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { compareResults, readExpectations, writeExpectations } from "./gallery/expectations.ts";
import { type Case, type CaseResult, listCases, runCases } from "./gallery/run.ts";
import { formatTable } from "./gallery/table.ts";
import { WRONG_PROFILES } from "./gallery/wrong-profiles.ts";

vi.setConfig({ testTimeout: 7_200_000 });

const { GALLERY: selection } = process.env;

it.runIf(selection)("has the recorded result at each checkout", async () => {
  const names = selection === "all" ? undefined : selection?.split(",");
  const isOpen = ({ shape, fault }: Case) => shape.isHeldBack !== true && fault === null;
  const cases = (await listCases()).filter((one) => {
    if (selection === "open") return isOpen(one);
    if (selection === "held-back") return one.shape.isHeldBack === true && one.fault === null;
    return names === undefined || names.includes(one.name);
  });
  const seen: CaseResult[] = [];
  const path = process.env["GALLERY_RESULT"];
  const onResult = (result: CaseResult) => {
    seen.push(result);
    if (path) writeFileSync(path, `${JSON.stringify(seen, null, 2)}\n`);
  };
  const wrong = WRONG_PROFILES[process.env["GALLERY_PROFILES"] as keyof typeof WRONG_PROFILES];
  const results = await runCases(cases, onResult, wrong);
  process.stdout.write(`\n${formatTable(results)}\n`);
  if (wrong) return expect(results.filter(({ result }) => result === "wrong")).toEqual([]);
  if (process.env["GALLERY_UPDATE"] === "1") writeExpectations(results, names === undefined);
  expect(compareResults(readExpectations(), results)).toEqual([]);
});
