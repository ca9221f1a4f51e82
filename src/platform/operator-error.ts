/** An error that the operator can correct. Commands print only its message and exit with 1. Other errors are defects. */
export class OperatorError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}
