/** How far an agent may be trusted, 0 to 100: a fixed rule over what this service knows for certain. docs/agents.md explains it. */
import type { Agent } from "../../generated/prisma/client.ts";
import type { Database, Statement } from "../platform/database/connection.ts";

export interface TrustPart {
  readonly name: "age" | "payments" | "reliability" | "disputes";
  readonly points: number;
  readonly maxPoints: number;
  /** In words for a person, with the figures behind it. */
  readonly explanation: string;
}

export interface TrustScore {
  /** The sum of its parts. */
  readonly score: number;
  readonly parts: readonly TrustPart[];
}

/** What the score is made of. */
export interface TrustFacts {
  /** Whole days since the agent was registered; 0 until it is. */
  readonly days: number;
  /** Of the account's newest payments for resources and model calls, at most {@link COUNTED}: those that settled. */
  readonly settled: number;
  /** Of the same: those that were signed, or broadcast, and never came to be. */
  readonly failed: number;
  readonly openDisputes: number;
  readonly upheldDisputes: number;
}

/** Only the newest payments count: the figure stays cheap, and what an agent was like long ago fades. */
export const COUNTED = 1_000;
const DAYS_FOR_FULL_AGE = 180;
/** From so many settled payments on, so many points: each step is about three times the last. */
const PAYMENT_STEPS = [
  [1, 5],
  [3, 10],
  [10, 16],
  [30, 22],
  [100, 28],
  [300, 34],
  [1_000, 40],
] as const;
const MAX = { age: 20, payments: 40, reliability: 20, disputes: 20 } as const;
const OPEN_DISPUTE_COSTS = 5;
const UPHELD_DISPUTE_COSTS = 10;
const DAY_MS = 86_400_000;

const FACTS: Statement = {
  name: "trust-facts",
  text: `WITH newest AS (
      SELECT status FROM transactions
      WHERE account_id = $1 AND type IN ('x402', 'gateway')
        AND (status IN ('settled', 'failed') OR status = 'released' AND signed_at IS NOT NULL)
      ORDER BY created_at DESC, id DESC LIMIT ${COUNTED}
    )
    SELECT (SELECT count(*) FROM newest WHERE status = 'settled')::int AS settled,
      (SELECT count(*) FROM newest WHERE status <> 'settled')::int AS failed,
      (SELECT count(*) FROM agent_disputes WHERE agent_id = $2 AND status = 'open')::int AS "openDisputes",
      (SELECT count(*) FROM agent_disputes WHERE agent_id = $2 AND status = 'upheld')::int AS "upheldDisputes"`,
};

/** The agent's score as of now. */
export async function trustScore(
  { db }: { readonly db: Database },
  { id, accountId, registeredAt }: Pick<Agent, "id" | "accountId" | "registeredAt">,
): Promise<TrustScore> {
  const [facts] = await db.query<Omit<TrustFacts, "days">>(FACTS, [accountId, id]);
  if (!facts) throw new Error("Counting answered nothing.");
  const ageMs = registeredAt === null ? 0 : Date.now() - registeredAt.getTime();
  return scoreOf({ ...facts, days: Math.max(0, Math.floor(ageMs / DAY_MS)) });
}

/** The rule itself: the same facts always give the same score. Integers throughout. */
export function scoreOf({ days, settled, failed, openDisputes, upheldDisputes }: TrustFacts): TrustScore {
  const age = Math.min(MAX.age, Math.floor((MAX.age * days) / DAYS_FOR_FULL_AGE));
  const payments = PAYMENT_STEPS.findLast(([from]) => settled >= from)?.[1] ?? 0;
  // One success and one failure beforehand: whoever has paid nothing yet stands in the middle.
  const reliability = Math.round((MAX.reliability * (settled + 1)) / (settled + failed + 2));
  const cost = openDisputes * OPEN_DISPUTE_COSTS + upheldDisputes * UPHELD_DISPUTE_COSTS;
  const disputes = Math.max(0, MAX.disputes - cost);
  const parts: TrustPart[] = [
    {
      name: "age",
      points: age,
      maxPoints: MAX.age,
      explanation: `Registered for ${count(days, "day")}; ${DAYS_FOR_FULL_AGE} give all points.`,
    },
    {
      name: "payments",
      points: payments,
      maxPoints: MAX.payments,
      explanation: `${count(settled, "payment")} settled of the last ${COUNTED.toLocaleString("en")}; ${COUNTED.toLocaleString("en")} give all points.`,
    },
    {
      name: "reliability",
      points: reliability,
      maxPoints: MAX.reliability,
      explanation: `${settled} settled, ${failed} signed and never collected. An agent without payments gets half.`,
    },
    {
      name: "disputes",
      points: disputes,
      maxPoints: MAX.disputes,
      explanation: `${openDisputes} open, ${upheldDisputes} upheld. Each open one costs ${OPEN_DISPUTE_COSTS} points, each upheld one ${UPHELD_DISPUTE_COSTS}.`,
    },
  ];
  return { score: parts.reduce((sum, { points }) => sum + points, 0), parts };
}

function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en")} ${noun}${amount === 1 ? "" : "s"}`;
}
