import { exit } from "./exit.ts";
import { OperatorError } from "./operator-error.ts";

/**
 * Runs a command, and ends the process with the returned code, 0 by default. Otherwise a timer of the schema engine
 * would delay the end by ten seconds. Prints the message of an operator error, and ends with 1.
 *
 * @throws any other error
 */
export async function runCommand(run: () => Promise<number | undefined>): Promise<never> {
  const code = await run().catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  });
  return await exit(code ?? 0);
}
