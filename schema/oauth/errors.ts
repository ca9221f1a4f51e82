import { OAuthProtocolError } from "../../src/oauth/oauth-protocol-error.ts";
import { builder } from "../builder.ts";
import { createErrorOptions } from "../errors.ts";

builder.objectType(OAuthProtocolError, {
  name: "OAuthProtocolError",
  ...createErrorOptions("The OAuth request failed with an error of the protocol."),
  fields: (t) => ({
    error: t.exposeString("error", {
      description: "The OAuth error code, such as `invalid_grant` (RFC 6749 sections 4.1.2.1 and 5.2).",
    }),
    errorDescription: t.exposeString("message", {
      description: "The `error_description` of the protocol, identical to `message`.",
    }),
  }),
});

/** Error types of the OAuth operations. */
export const OAUTH_ERRORS = [OAuthProtocolError];
