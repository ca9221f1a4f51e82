import { readTrustScore, type TrustPart, type TrustScore } from "../../src/agents/trust-score.ts";
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";
import { AgentNode } from "./agents.ts";

const TrustPartName = wireEnum<TrustPart["name"]>("TrustScorePartName", "A component of a trust score.", {
  age: "The time since the registration.",
  payments: "The number of settled payments.",
  reliability: "The share of payments that were settled.",
  disputes: "Disputes that are open or were upheld.",
});

const TrustPartType = builder.objectRef<TrustPart>("TrustScorePart").implement({
  description: "One component of a trust score.",
  fields: (t) => ({
    name: t.expose("name", { type: TrustPartName, description: "The component." }),
    points: t.exposeInt("points", { description: "The points achieved." }),
    maxPoints: t.exposeInt("maxPoints", { description: "The maximum number of points." }),
    explanation: t.exposeString("explanation", {
      description: "Explanation of the points with the underlying figures, for display.",
    }),
  }),
});

const TrustScoreType = builder.objectRef<TrustScore>("TrustScore").implement({
  description: "The trust score of an agent, computed by a fixed rule from its age, payments and disputes.",
  fields: (t) => ({
    score: t.exposeInt("score", { description: "The score from 0 to 100: the sum of its parts." }),
    parts: t.field({
      type: [TrustPartType],
      description: "The components of the score.",
      resolve: ({ parts }) => parts,
    }),
  }),
});

builder.prismaObjectFields(AgentNode, (t) => ({
  trustScore: t.field({
    type: TrustScoreType,
    complexity: 5,
    description: "The agent's current trust score.",
    resolve: (agent, _args, { deps }) => readTrustScore(deps, agent),
  }),
}));
