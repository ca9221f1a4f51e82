/** Build of the web pages at start-up. */
import { ensureBuilt } from "../../web/build.ts";
import type { Logger } from "../platform/observability/logger.ts";

/**
 * Builds the pages if a source file is newer. A failed build is only logged, because the service works without pages.
 */
export async function preparePages(logger: Logger, onProgress: (message: string) => void): Promise<void> {
  try {
    await ensureBuilt(onProgress);
  } catch (error) {
    logger.error({ err: error }, "Page build failed; pages of an earlier build are served if there are any");
  }
}
