import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { COST_CLASSES } from "./cost-classes.ts";
import { readDurations } from "./durations.ts";

/** Of a file that was never recorded: early, so that a long one does not end the run alone. */
const UNKNOWN_SECONDS = 30;

/**
 * A run ends with its last file, so the longest come first. Class by class, since a worker that moves on to another class
 * loads the service anew.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const root = this.ctx.config.root;
    const secondsOf = ({ moduleId }: TestSpecification) => durations[relative(root, moduleId)] ?? UNKNOWN_SECONDS;
    const classOf = ({ project }: TestSpecification) => COST_CLASSES.findIndex(({ name }) => name === project.name);
    return files.toSorted((one, other) => classOf(one) - classOf(other) || secondsOf(other) - secondsOf(one));
  }
}
