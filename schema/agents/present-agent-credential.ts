import { type Presentation, presentAgentCredential } from "../../src/agents/credentials/present.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { AgentCredentialNode, CredentialKindEnum } from "./agent-credentials.ts";

const PresentAgentCredentialInput = builder.inputType("PresentAgentCredentialInput", {
  description: "The credential to present, its audience, and the claims to disclose.",
  fields: (t) => ({
    kind: t.field({ type: CredentialKindEnum, required: true, description: "The kind of the credential." }),
    audience: t.string({
      required: true,
      description: "The verifier's identifier, usually its origin, such as `https://merchant.example`.",
    }),
    nonce: t.string({ required: true, description: "The nonce issued by the verifier. It prevents replay." }),
    disclose: t.stringList({
      description:
        "The claims to disclose, such as `trust_score` or `limits.daily_usd`. A name includes all claims beneath it. At most 100 names. Default: none, so the presentation proves only that Satchel issued it for the agent's key.",
    }),
  }),
});

const PresentAgentCredentialSuccess = builder.objectRef<Presentation>("PresentAgentCredentialSuccess").implement({
  description: "The presentation. Send it to the verifier unchanged.",
  fields: (t) => ({
    presentation: t.exposeString("presentation", {
      description: "An SD-JWT with key binding: the credential, the disclosed claims, and the key binding JWT.",
    }),
    disclosed: t.exposeStringList("disclosed", { description: "The names of the disclosed claims." }),
    credential: t.expose("credential", { type: AgentCredentialNode, description: "The presented credential." }),
  }),
});

builder.mutationField("presentAgentCredential", (t) =>
  t.field({
    type: PresentAgentCredentialSuccess,
    description:
      "Creates a presentation of an agent credential for one verifier. The presentation discloses only the named claims, and the agent's key signs the audience and nonce. Satchel first replaces an outdated credential. At most 60 requests per minute. Always requires the scopes `agent:read` and `payments:sign`, because the presentation is signed as the agent.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "PresentAgentCredentialResult", description: "The presentation, or the error that prevented it." },
    },
    args: {
      input: t.arg({ type: PresentAgentCredentialInput, required: true, description: "The presentation to create." }),
    },
    resolve: (_root, { input: { kind, audience, nonce, disclose } }, { deps, viewer }) =>
      presentAgentCredential(deps, viewer, { kind, audience, nonce, disclose: disclose ?? [] }),
  }),
);
