import { Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { Administrator } from "./administrator.ts";

/** Values of the changed object. Never secrets, and no personal data beyond what identifies the change. */
export type ActState = { readonly [name: string]: string | number | boolean | null | readonly string[] };

/** An act of an administrator. */
export interface Act {
  readonly actor: Administrator;
  /** `<object>.<verb>` such as `accounts.end_sessions`. */
  readonly action: string;
  /** Null only where the reason is optional for clients of earlier releases. */
  readonly reason: string | null;
  /** The account that the act concerns. */
  readonly subjectAccountId?: string | null;
  /** The kind of the changed object, such as `oauth_client`. */
  readonly subjectType?: string;
  readonly subjectId?: string | null;
  readonly before?: ActState;
  readonly after?: ActState;
  /** The confirmed proposal, if the act requires two administrators. */
  readonly proposalId?: string | null;
}

/** Records an act. Pass the transaction that performs it, so that neither exists without the other. */
export async function recordAct(tx: Prisma.TransactionClient, act: Act): Promise<void> {
  const { actor, action, reason, subjectAccountId = null, subjectType = null, subjectId = null, before, after } = act;
  const { proposalId = null } = act;
  await tx.administratorAct.create({
    data: {
      ...{ id: newId("act"), actorAccountId: actor.accountId, action, reason },
      ...{ subjectAccountId, subjectType, subjectId, proposalId },
      before: before === undefined ? Prisma.DbNull : (before as Prisma.InputJsonObject),
      after: after === undefined ? Prisma.DbNull : (after as Prisma.InputJsonObject),
    },
  });
}
