/** What an application's status may become, and by whom (spec sections 2.2 and 3.2; decisions, "OAuth"). */
import { ServiceError } from "../../platform/errors.ts";

export const CLIENT_STATUSES = ["pending_approval", "approved", "rejected", "revoked"] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

export const DECISIONS = ["approve", "reject", "revoke"] as const;
/** What a reviewer may decide. */
export type Decision = (typeof DECISIONS)[number];

export interface Transition {
  readonly from: ClientStatus;
  readonly to: ClientStatus;
  /** A reviewer by deciding, the owner by editing. */
  readonly by: { readonly reviewer: Decision } | "owner";
  readonly reason: "required" | "optional" | "none";
}

/** Every move there is. `revoked` is final. */
export const TRANSITIONS: readonly Transition[] = [
  { from: "pending_approval", to: "approved", by: { reviewer: "approve" }, reason: "optional" },
  { from: "pending_approval", to: "rejected", by: { reviewer: "reject" }, reason: "required" },
  { from: "approved", to: "revoked", by: { reviewer: "revoke" }, reason: "required" },
  { from: "rejected", to: "pending_approval", by: "owner", reason: "none" },
];

const OUTCOMES: Readonly<Record<Decision, ClientStatus>> = {
  approve: "approved",
  reject: "rejected",
  revoke: "revoked",
};

/** The application's status does not lead to the one asked for. Nothing changed. */
export class InvalidTransitionError extends ServiceError {
  readonly code = "invalid_transition";
  readonly from: ClientStatus;
  readonly to: ClientStatus;
  constructor(from: ClientStatus, to: ClientStatus) {
    super(`The application is ${inWords(from)} and cannot become ${inWords(to)}. Nothing changed.`);
    this.from = from;
    this.to = to;
  }
}

/** @throws {InvalidTransitionError} when the table has no such move. */
export function transitionOf(from: ClientStatus, decision: Decision): Transition {
  const found = TRANSITIONS.find(({ from: start, by }) => start === from && by !== "owner" && by.reviewer === decision);
  if (!found) throw new InvalidTransitionError(from, OUTCOMES[decision]);
  return found;
}

/** What an owner's edit makes of a status; null where it stays. */
export function transitionByEditing(from: ClientStatus): Transition | null {
  return TRANSITIONS.find(({ from: start, by }) => start === from && by === "owner") ?? null;
}

/** Reads the column. */
export function asStatus(status: string): ClientStatus {
  const found = CLIENT_STATUSES.find((known) => known === status);
  if (!found) throw new Error(`There is no application status ${status}.`);
  return found;
}

function inWords(status: ClientStatus): string {
  return status === "pending_approval" ? "pending approval" : status;
}
