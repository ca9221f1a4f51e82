/** An error that the operator can correct. Commands print only its message and exit with 1. Other errors are defects. */
export class OperatorError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** Prints the message of an operator error and sets the exit code 1. @throws any other error */
export function reportOperatorError(error: unknown): void {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
