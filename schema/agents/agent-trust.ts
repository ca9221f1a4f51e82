import { type TrustPart, type TrustScore, trustScore } from "../../src/agents/trust-score.ts";
import { builder } from "../builder.ts";
import { AgentNode } from "./agents.ts";

const TrustPartType = builder.objectRef<TrustPart>("TrustScorePart").implement({
  description: "One of the things a trust score is made of.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "`age`, `payments`, `reliability` or `disputes`." }),
    points: t.exposeInt("points", { description: "The points it gives." }),
    maxPoints: t.exposeInt("maxPoints", { description: "The points it could give." }),
    explanation: t.exposeString("explanation", { description: "Why so many, with the figures, for a person." }),
  }),
});

const TrustScoreType = builder.objectRef<TrustScore>("TrustScore").implement({
  description: "How far an agent may be trusted, by a fixed rule over what this service knows of it.",
  fields: (t) => ({
    score: t.exposeInt("score", { description: "0 to 100: the sum of its parts." }),
    parts: t.field({ type: [TrustPartType], description: "Its parts.", resolve: ({ parts }) => parts }),
  }),
});

builder.prismaObjectFields(AgentNode, (t) => ({
  trustScore: t.field({
    type: TrustScoreType,
    complexity: 5,
    description: "How far it may be trusted, as of now.",
    resolve: (agent, _args, { deps }) => trustScore(deps, agent),
  }),
}));
