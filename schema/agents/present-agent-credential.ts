import { type Presentation, presentAgentCredential } from "../../src/agents/credentials/present.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { AgentCredentialNode, CredentialKindEnum } from "./agent-credentials.ts";

const PresentAgentCredentialInput = builder.inputType("PresentAgentCredentialInput", {
  description: "Which credential, to whom, and how much of it.",
  fields: (t) => ({
    kind: t.field({ type: CredentialKindEnum, required: true, description: "Which credential." }),
    audience: t.string({
      required: true,
      description: "Whom it is for, as they name themselves: usually their origin, such as `https://shop.example`.",
    }),
    nonce: t.string({ required: true, description: "What they gave you to prove that it is shown now." }),
    disclose: t.stringList({
      description:
        "The claims to show, such as `trust_score` or `limits.daily_usd`; a name shows all beneath it. Default none: then it proves no more than that this service vouches for the agent's key.",
    }),
  }),
});

const PresentAgentCredentialSuccess = builder.objectRef<Presentation>("PresentAgentCredentialSuccess").implement({
  description: "The presentation: send it as it is.",
  fields: (t) => ({
    presentation: t.exposeString("presentation", {
      description: "An SD-JWT with key binding: the credential, the claims shown, and the agent's proof.",
    }),
    disclosed: t.exposeStringList("disclosed", { description: "The names of the claims that it shows." }),
    credential: t.expose("credential", { type: AgentCredentialNode, description: "The credential that is shown." }),
  }),
});

builder.mutationField("presentAgentCredential", (t) =>
  t.field({
    type: PresentAgentCredentialSuccess,
    description:
      "Shows a credential of the agent to somebody: only the claims named, with a proof made by the agent's key that is good for this audience and nonce alone. A credential that no longer says what is so is replaced first. At most 60 a minute. Always needs the scopes `agent:read` and `payments:sign`, for it speaks as the agent.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "PresentAgentCredentialResult", description: "The presentation, or why there is none." },
    },
    args: {
      input: t.arg({ type: PresentAgentCredentialInput, required: true, description: "What to show, and to whom." }),
    },
    resolve: (_root, { input: { kind, audience, nonce, disclose } }, { deps, viewer }) =>
      presentAgentCredential(deps, viewer, { kind, audience, nonce, disclose: disclose ?? [] }),
  }),
);
