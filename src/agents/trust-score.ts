/** Trust score of an agent, 0 to 100, computed by a fixed rule from the ledger and disputes. docs/agents.md describes the rule. */
import type { Agent } from "../../generated/prisma/client.ts";
import type { Database, Statement } from "../platform/database/connection.ts";

export interface TrustPart {
  readonly name: "age" | "payments" | "reliability" | "disputes";
  readonly points: number;
  readonly maxPoints: number;
  /** Explanation with the underlying figures, for display. */
  readonly explanation: string;
}

export interface TrustScore {
  /** Sum of the parts' points. */
  readonly score: number;
  readonly parts: readonly TrustPart[];
}

/** Inputs of the score. */
export interface TrustFacts {
  /** Whole days since the agent was registered, or 0 before that. */
  readonly days: number;
  /** Settled payments among the account's newest ended payments for resources and model calls, at most {@link MAX_COUNTED_PAYMENTS}. */
  readonly settled: number;
  /** Payments among the same ones that were signed or broadcast and never settled. */
  readonly failed: number;
  readonly openDisputes: number;
  readonly upheldDisputes: number;
}

/** Maximum number of newest payments counted. It bounds the cost of the query, and old conduct loses its influence. */
export const MAX_COUNTED_PAYMENTS = 1_000;
const DAYS_FOR_FULL_AGE = 180;
/** Pairs of settled payments and points. Each step needs about three times the payments of the previous one. */
const PAYMENT_STEPS = [
  [1, 5],
  [3, 10],
  [10, 16],
  [30, 22],
  [100, 28],
  [300, 34],
  [1_000, 40],
] as const;
const MAX_POINTS = { age: 20, payments: 40, reliability: 20, disputes: 20 } as const;
const OPEN_DISPUTE_POINTS = 5;
const UPHELD_DISPUTE_POINTS = 10;
const DAY_MS = 86_400_000;

const FACTS: Statement = {
  name: "trust-facts",
  text: `WITH newest AS (
      SELECT status FROM transactions
      WHERE account_id = $1 AND type IN ('x402', 'gateway')
        AND (status IN ('settled', 'failed') OR status = 'released' AND signed_at IS NOT NULL)
      ORDER BY created_at DESC, id DESC LIMIT ${MAX_COUNTED_PAYMENTS}
    )
    SELECT (SELECT count(*) FROM newest WHERE status = 'settled')::int AS settled,
      (SELECT count(*) FROM newest WHERE status <> 'settled')::int AS failed,
      (SELECT count(*) FROM agent_disputes WHERE agent_id = $2 AND status = 'open')::int AS "openDisputes",
      (SELECT count(*) FROM agent_disputes WHERE agent_id = $2 AND status = 'upheld')::int AS "upheldDisputes"`,
};

/** Returns the agent's current score. */
export async function readTrustScore(
  { db }: { readonly db: Database },
  { id, accountId, registeredAt }: Pick<Agent, "id" | "accountId" | "registeredAt">,
): Promise<TrustScore> {
  const [facts] = await db.query<Omit<TrustFacts, "days">>(FACTS, [accountId, id]);
  if (!facts) throw new Error("The query for trust facts returned no row.");
  const ageMs = registeredAt === null ? 0 : Date.now() - registeredAt.getTime();
  return computeTrustScore({ ...facts, days: Math.max(0, Math.floor(ageMs / DAY_MS)) });
}

/** Computes the score from its inputs. Deterministic, with integers only. */
export function computeTrustScore({ days, settled, failed, openDisputes, upheldDisputes }: TrustFacts): TrustScore {
  const age = Math.min(MAX_POINTS.age, Math.floor((MAX_POINTS.age * days) / DAYS_FOR_FULL_AGE));
  const payments = PAYMENT_STEPS.findLast(([from]) => settled >= from)?.[1] ?? 0;
  // Starts from one success and one failure, so an agent without payments gets half of the points.
  const reliability = Math.round((MAX_POINTS.reliability * (settled + 1)) / (settled + failed + 2));
  const cost = openDisputes * OPEN_DISPUTE_POINTS + upheldDisputes * UPHELD_DISPUTE_POINTS;
  const disputes = Math.max(0, MAX_POINTS.disputes - cost);
  const parts: TrustPart[] = [
    {
      name: "age",
      points: age,
      maxPoints: MAX_POINTS.age,
      explanation: `Registered for ${formatCount(days, "day")}. ${DAYS_FOR_FULL_AGE} days give all points.`,
    },
    {
      name: "payments",
      points: payments,
      maxPoints: MAX_POINTS.payments,
      explanation: `${formatCount(settled, "payment")} settled of the last ${MAX_COUNTED_PAYMENTS.toLocaleString("en")}. ${MAX_COUNTED_PAYMENTS.toLocaleString("en")} settled payments give all points.`,
    },
    {
      name: "reliability",
      points: reliability,
      maxPoints: MAX_POINTS.reliability,
      explanation: `${settled} settled, ${failed} signed but never settled. An agent without payments gets half of the points.`,
    },
    {
      name: "disputes",
      points: disputes,
      maxPoints: MAX_POINTS.disputes,
      explanation: `${openDisputes} open, ${upheldDisputes} upheld. Each open dispute costs ${OPEN_DISPUTE_POINTS} points, each upheld dispute ${UPHELD_DISPUTE_POINTS}.`,
    },
  ];
  return { score: parts.reduce((sum, { points }) => sum + points, 0), parts };
}

function formatCount(amount: number, noun: string): string {
  return `${amount.toLocaleString("en")} ${noun}${amount === 1 ? "" : "s"}`;
}
