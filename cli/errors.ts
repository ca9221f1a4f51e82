import { PROGRAM } from "./version.ts";
/** What a script can tell apart by the exit code; `--help` lists it. */
export const EXIT = { failed: 1, usage: 2, notSignedIn: 3, timedOut: 4 } as const;

/** A failure the person is told about; everything else is a defect and shows its stack. */
export class CliError extends Error {
  readonly exitCode: number;
  /** Stable, for `--json`: the service's own code where it gave one. */
  readonly code: string;
  constructor(message: string, exitCode: number = EXIT.failed, code = "failed") {
    super(message);
    this.name = "CliError";
    this.exitCode = exitCode;
    this.code = code;
  }
}

export class UsageError extends CliError {
  constructor(message: string) {
    super(message, EXIT.usage, "usage");
  }
}

export function notSignedIn(baseUrl: string): CliError {
  return new CliError(`Not signed in to ${baseUrl}. Run: ${PROGRAM} login`, EXIT.notSignedIn, "not_signed_in");
}

export function signInEnded(baseUrl: string): CliError {
  const text = `The sign-in to ${baseUrl} has ended: it expired, or the app was disconnected. Run: ${PROGRAM} login`;
  return new CliError(text, EXIT.notSignedIn, "sign_in_ended");
}
