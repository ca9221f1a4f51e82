import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { COST_CLASSES } from "./cost-classes.ts";
import { readDurations } from "./durations.ts";

/** Assumed duration of a file without a recorded one. It starts early, as a long file must not run alone at the end. */
const UNKNOWN_SECONDS = 30;

/**
 * Orders files by class, then longest first: a run ends with its last file. The classes are not mixed, as a worker reloads
 * the service when the class changes.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const root = this.ctx.config.root;
    const findSeconds = ({ moduleId }: TestSpecification) => durations[relative(root, moduleId)] ?? UNKNOWN_SECONDS;
    const findClassIndex = ({ project }: TestSpecification) =>
      COST_CLASSES.findIndex(({ name }) => name === project.name);
    return files.toSorted(
      (one, other) => findClassIndex(one) - findClassIndex(other) || findSeconds(other) - findSeconds(one),
    );
  }
}
