import { PROGRAM } from "./version.ts";

/** Exit codes, listed by `--help`. */
export const EXIT = { failed: 1, usage: 2, notSignedIn: 3, timedOut: 4 } as const;

/** A failure to report to the user. Any other error is a defect and prints its stack trace. */
export class CliError extends Error {
  readonly exitCode: number;
  /** Stable error code for `--json`: the service's code if it returned one. */
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

export function createNotSignedInError(baseUrl: string): CliError {
  return new CliError(`Not signed in to ${baseUrl}. Run: ${PROGRAM} login`, EXIT.notSignedIn, "not_signed_in");
}

export function createSignInEndedError(baseUrl: string): CliError {
  if (process.env["SATCHEL_TOKEN"]?.trim()) {
    const text = `${baseUrl} refuses SATCHEL_TOKEN: it expired, was revoked, or belongs to another service.`;
    return new CliError(text, EXIT.notSignedIn, "sign_in_ended");
  }
  const text = `The sign-in to ${baseUrl} has ended: it expired or was revoked. Run: ${PROGRAM} login`;
  return new CliError(text, EXIT.notSignedIn, "sign_in_ended");
}
