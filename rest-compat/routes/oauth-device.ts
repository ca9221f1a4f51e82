import { z } from "zod";
import { BeginDeviceAuthorizationDocument } from "../generated/graphql.ts";
import { defineOAuthRoute } from "../oauth-route.ts";
import { CLIENT } from "./oauth-token.ts";

export const deviceAuthorization = defineOAuthRoute({
  methods: ["POST"],
  path: "/oauth/device_authorization",
  caller: "client",
  summary: "Request authorization of a device",
  description:
    "Starts the device authorization grant (RFC 8628), for an application without a browser. The application shows `user_code` and `verification_uri`, and polls `/oauth/token` every `interval` seconds. It waits while the response is `authorization_pending`, and 5 seconds longer after each `slow_down`. The user types the code in a browser on any device, and decides there. Only for `service_cli` and applications registered for this grant.",
  parameters: z.object({
    ...CLIENT,
    scope: z
      .string()
      .optional()
      .meta({ description: "Scopes separated by spaces; default: `payments:sign balance:read`." }),
  }),
  document: BeginDeviceAuthorizationDocument,
  variables: ({ values }) => ({
    input: { clientId: values.client_id, clientSecret: values.client_secret, scope: values.scope },
  }),
  toResponse({ beginDeviceAuthorization: result }) {
    if (result.__typename !== "BeginDeviceAuthorizationSuccess") return result;
    const { deviceCode, userCode, verificationUri, verificationUriComplete, expiresIn, interval } = result;
    const body = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: verificationUri,
      verification_uri_complete: verificationUriComplete,
      expires_in: expiresIn,
      interval,
    };
    return { kind: "json", body };
  },
  success: {
    description: "The codes.",
    schema: z.object({
      device_code: z.string().meta({ description: "The code for the polls; a secret of the application." }),
      user_code: z.string().meta({ description: "The code to show to the user." }),
      verification_uri: z.string().meta({ description: "The page on which the user types the code." }),
      verification_uri_complete: z.string().meta({ description: "The same page with the code filled in." }),
      expires_in: z.int().meta({ description: "Seconds until both codes expire." }),
      interval: z.int().meta({ description: "Seconds between two polls." }),
    }),
    example: {
      device_code: "8VxKq3nT0mPz6yRwLsHc1dFgJb4uAeWi9oXCvNtQ2Zk",
      user_code: "WDJB-MJHT",
      verification_uri: "https://satchel.example/device",
      verification_uri_complete: "https://satchel.example/device?user_code=WDJB-MJHT",
      expires_in: 900,
      interval: 5,
    },
  },
});
