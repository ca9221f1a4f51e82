/** The device authorization grant (RFC 8628): the device's request, and the code that its user types. */
import type { AuthorizationRequest } from "../../src/oauth/authorization-request.ts";
import {
  beginDeviceAuthorization,
  type DeviceAuthorization,
} from "../../src/oauth/device/begin-device-authorization.ts";
import { findDeviceRequest } from "../../src/oauth/device/find-device-request.ts";
import { RateLimitedError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { INTERNAL } from "../schema-variants.ts";
import { AuthorizationRequestType } from "./consent.ts";
import { OAUTH_ERRORS } from "./errors.ts";

const BeginDeviceAuthorizationInput = builder.inputType("BeginDeviceAuthorizationInput", {
  description: "A device authorization request (RFC 8628 section 3.1). Empty values are treated as absent.",
  fields: (t) => ({
    clientId: t.string({ description: "The application's `client_id`." }),
    clientSecret: t.string({ description: "The application's `client_secret`. Omitted by public clients." }),
    scope: t.string({
      description: "The requested scopes, separated by spaces. Defaults to `payments:sign balance:read`.",
    }),
  }),
});

const BeginDeviceAuthorizationSuccess = builder
  .objectRef<DeviceAuthorization>("BeginDeviceAuthorizationSuccess")
  .implement({
    description: "The codes of the device and of its user.",
    fields: (t) => ({
      deviceCode: t.exposeString("deviceCode", {
        description: "The code with which the device polls. Shown only once.",
      }),
      userCode: t.exposeString("userCode", { description: "The code that the device shows to its user." }),
      verificationUri: t.exposeString("verificationUri", { description: "The page on which the user types the code." }),
      verificationUriComplete: t.exposeString("verificationUriComplete", {
        description: "The same page with the code filled in, for a QR code.",
      }),
      expiresIn: t.exposeInt("expiresIn", { description: "Seconds until both codes expire." }),
      interval: t.exposeInt("interval", { description: "Seconds between two polls." }),
    }),
  });

builder.mutationField("beginDeviceAuthorization", (t) =>
  t.field({
    ...INTERNAL,
    type: BeginDeviceAuthorizationSuccess,
    description: "Starts the device authorization grant, like `POST /oauth/device_authorization`.",
    errors: {
      types: [...OAUTH_ERRORS, RateLimitedError],
      union: { name: "BeginDeviceAuthorizationResult", description: "The codes or an error." },
    },
    args: { input: t.arg({ type: BeginDeviceAuthorizationInput, required: true, description: "The request." }) },
    resolve: (_root, { input }, { deps, ip }) =>
      beginDeviceAuthorization(deps, {
        clientId: input.clientId || null,
        clientSecret: input.clientSecret || null,
        scope: input.scope || null,
        requesterAddress: ip,
      }),
  }),
);

const FindDeviceRequestInput = builder.inputType("FindDeviceRequestInput", {
  description: "The code that a device shows.",
  fields: (t) => ({
    userCode: t.string({
      required: true,
      description: "Eight consonants, such as `WDJB-MJHT`. Case and separators are ignored.",
    }),
  }),
});

const FindDeviceRequestSuccess = builder
  .objectRef<{ request: AuthorizationRequest }>("FindDeviceRequestSuccess")
  .implement({
    description: "A device waits with this code.",
    fields: (t) => ({
      request: t.expose("request", {
        type: AuthorizationRequestType,
        description: "The device's request, for `decideAuthorization`.",
      }),
    }),
  });

builder.mutationField("findDeviceRequest", (t) =>
  t.field({
    type: FindDeviceRequestSuccess,
    description:
      "Returns the request of the device that shows a code. Requires a session. Ten codes of an account are checked in 15 minutes.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "FindDeviceRequestResult", description: "The request or an error." },
    },
    args: { input: t.arg({ type: FindDeviceRequestInput, required: true, description: "The code." }) },
    resolve: async (_root, { input: { userCode } }, { deps, viewer, ip }) => ({
      request: await findDeviceRequest(deps, viewer, { userCode, ip }),
    }),
  }),
);
