/** Makes sure there are pages to serve. */
import { ensureBuilt } from "../../web/build.ts";
import type { Logger } from "../platform/observability/logger.ts";

/** Builds the pages when a source is newer. The service is of use without them, so a failing build stops nothing. */
export async function preparePages(logger: Logger, onProgress: (message: string) => void): Promise<void> {
  try {
    await ensureBuilt(onProgress);
  } catch (error) {
    logger.error({ err: error }, "the pages could not be built; earlier ones are served where there are any");
  }
}
