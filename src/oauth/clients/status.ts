/** Statuses of an application and the allowed transitions (spec sections 2.2 and 3.2; decisions, "OAuth"). */
import { ServiceError } from "../../platform/errors.ts";

export const CLIENT_STATUSES = ["pending_approval", "approved", "rejected", "revoked"] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/**
 * Who registered the application: its owner, or the application itself, with a client ID metadata document or
 * dynamically. The latter can be used, with restrictions, while its approval is pending.
 */
export type Registration = "owner" | "document" | "dynamic";

/** Condition, as SQL, that a row of `oauth_clients` can be used. */
export const isUsable = (client: string): string =>
  `(${client}.status = 'approved' OR ${client}.status = 'pending_approval' AND ${client}.registration <> 'owner')`;

/** Condition, as SQL, that a row of `oauth_clients` registered itself and was not approved. */
export const isRestricted = (client: string): string =>
  `(${client}.registration <> 'owner' AND ${client}.status = 'pending_approval')`;

export const DECISIONS = ["approve", "reject", "revoke"] as const;
/** A decision of a reviewer. */
export type Decision = (typeof DECISIONS)[number];

export interface Transition {
  readonly from: ClientStatus;
  readonly to: ClientStatus;
  /** The actor: a reviewer with a decision, the owner with an edit, or the client ID metadata document with a change. */
  readonly by: { readonly reviewer: Decision } | "owner" | "document";
  readonly reason: "required" | "optional" | "none";
}

/** All allowed transitions. `revoked` is final. */
export const TRANSITIONS: readonly Transition[] = [
  { from: "pending_approval", to: "approved", by: { reviewer: "approve" }, reason: "optional" },
  { from: "pending_approval", to: "rejected", by: { reviewer: "reject" }, reason: "required" },
  { from: "approved", to: "revoked", by: { reviewer: "revoke" }, reason: "required" },
  { from: "rejected", to: "pending_approval", by: "owner", reason: "none" },
  { from: "approved", to: "pending_approval", by: "document", reason: "required" },
];

const OUTCOMES: Readonly<Record<Decision, ClientStatus>> = {
  approve: "approved",
  reject: "rejected",
  revoke: "revoked",
};

/** The application's status does not allow the decision. Nothing was changed. */
export class InvalidTransitionError extends ServiceError {
  readonly code = "invalid_transition";
  readonly from: ClientStatus;
  readonly to: ClientStatus;
  constructor(from: ClientStatus, to: ClientStatus) {
    super(`The application is ${formatStatus(from)} and cannot become ${formatStatus(to)}. Nothing was changed.`);
    this.from = from;
    this.to = to;
  }
}

/**
 * Returns the transition of a reviewer's decision.
 * @throws {InvalidTransitionError} if the table has none
 */
export function findTransition(from: ClientStatus, decision: Decision): Transition {
  const found = TRANSITIONS.find(
    ({ from: start, by }) => start === from && typeof by === "object" && by.reviewer === decision,
  );
  if (!found) throw new InvalidTransitionError(from, OUTCOMES[decision]);
  return found;
}

/** Returns the transition of an owner's edit; null if the status remains. */
export function findEditTransition(from: ClientStatus): Transition | null {
  return TRANSITIONS.find(({ from: start, by }) => start === from && by === "owner") ?? null;
}

/** Returns the transition of a changed client ID metadata document; null if the status remains. */
export function findDocumentTransition(from: ClientStatus): Transition | null {
  return TRANSITIONS.find(({ from: start, by }) => start === from && by === "document") ?? null;
}

/** Parses the `status` column. */
export function parseStatus(status: string): ClientStatus {
  const found = CLIENT_STATUSES.find((known) => known === status);
  if (!found) throw new Error(`Unknown application status: ${status}.`);
  return found;
}

function formatStatus(status: ClientStatus): string {
  return status === "pending_approval" ? "pending approval" : status;
}
