import { OperatorError } from "../platform/operator-error.ts";

/** Rows are not bound to their accounts, so they do not open. The operator must run the upgrade. */
export class UnboundRowsError extends OperatorError {
  constructor(counts: readonly string[]) {
    super(
      [
        `Rows are not bound to their accounts and cannot be used: ${counts.join(", ")}. They were sealed by version 0.1.0.`,
        'Stop all nodes and run "npm run rotate-keys -- --bind-accounts" once.',
        "If this database was bound before, another party has changed these rows: restore them instead.",
      ].join("\n"),
    );
  }
}
