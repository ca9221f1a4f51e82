import { OAuthProtocolError } from "../../src/oauth/oauth-protocol-error.ts";
import { builder } from "../builder.ts";
import { errorOf } from "../errors.ts";

builder.objectType(OAuthProtocolError, {
  name: "OAuthProtocolError",
  ...errorOf("The OAuth request is refused in the protocol's own terms."),
  fields: (t) => ({
    error: t.exposeString("error", {
      description: "The protocol's code, such as `invalid_grant` (RFC 6749 sections 4.1.2.1 and 5.2).",
    }),
    errorDescription: t.exposeString("message", { description: "The same text as `message`, in the protocol's name." }),
  }),
});

/** What an operation of the protocol may be refused with. */
export const OAUTH_ERRORS = [OAuthProtocolError];
