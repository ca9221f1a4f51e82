/** Domains of client ID metadata documents that administrators block. */
import type { OAuthBlockedDomain } from "../../generated/prisma/client.ts";
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import { listBlockedDomains, setDomainBlock } from "../../src/oauth/clients/blocked-domains.ts";
import { ADMINISTRATION_ERRORS } from "../administration/errors.ts";
import { builder } from "../builder.ts";

const BlockedDomain = builder.objectRef<OAuthBlockedDomain>("OAuthBlockedDomain").implement({
  description: "A domain whose client ID metadata documents are refused, with its subdomains.",
  fields: (t) => ({
    domain: t.exposeString("domain", { description: "The domain." }),
    reason: t.exposeString("reason", { description: "The administrator's reason." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp of the block." }),
  }),
});

builder.queryField("oauthBlockedDomains", (t) =>
  t.field({
    type: [BlockedDomain],
    description:
      "The blocked domains, latest first, at most 1,000. Requires an administrator's session or the operator's admin token.",
    resolve: (_root, _args, { deps, viewer }) => {
      requireReviewer(viewer);
      return listBlockedDomains(deps);
    },
  }),
);

const SetOAuthDomainBlockInput = builder.inputType("SetOAuthDomainBlockInput", {
  description: "A block of a domain, or its end.",
  fields: (t) => ({
    domain: t.string({ required: true, description: "The domain, such as `app.example`. Includes its subdomains." }),
    isBlocked: t.boolean({ required: true, description: "Whether to block the domain." }),
    reason: t.string({ required: true, description: "The reason, 1 to 1,000 characters. It is recorded." }),
  }),
});

const SetOAuthDomainBlockSuccess = builder
  .objectRef<{ block: OAuthBlockedDomain | null }>("SetOAuthDomainBlockSuccess")
  .implement({
    description: "The domain is blocked, or not blocked any more.",
    fields: (t) => ({
      block: t.expose("block", {
        type: BlockedDomain,
        nullable: true,
        description: "The block. Null if the domain is not blocked.",
      }),
    }),
  });

builder.mutationField("setOAuthDomainBlock", (t) =>
  t.field({
    type: SetOAuthDomainBlockSuccess,
    description:
      "Blocks a domain: applications with a client ID metadata document there are refused, and their grants, tokens and codes are revoked. Ends a block, after which users must consent again. Requires an administrator's session with a sign-in in the last 10 minutes, or the operator's admin token.",
    errors: {
      types: ADMINISTRATION_ERRORS,
      union: { name: "SetOAuthDomainBlockResult", description: "The block or an error." },
    },
    args: { input: t.arg({ type: SetOAuthDomainBlockInput, required: true, description: "The domain." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({ block: await setDomainBlock(deps, viewer, input) }),
  }),
);
