/** Dynamic registration of applications (RFC 7591). */
import {
  type DynamicClient,
  REGISTRATIONS_PER_HOUR,
  registerDynamicClient,
} from "../../src/oauth/clients/dynamic-registration.ts";
import { NotFoundError, RateLimitedError } from "../../src/platform/errors.ts";
import { limitByNetwork } from "../../src/platform/http/limit-by-network.ts";
import { builder } from "../builder.ts";
import { INTERNAL } from "../schema-variants.ts";
import { OAUTH_ERRORS } from "./errors.ts";

const HOUR_SECONDS = 3_600;

const RegisterDynamicClientInput = builder.inputType("RegisterDynamicClientInput", {
  description: "A registration request (RFC 7591 section 3.1).",
  fields: (t) => ({ metadata: t.string({ required: true, description: "The client metadata, a JSON object." }) }),
});

const RegisterDynamicClientSuccess = builder.objectRef<DynamicClient>("RegisterDynamicClientSuccess").implement({
  description: "The registered application.",
  fields: (t) => ({
    clientId: t.exposeString("clientId", { description: "The OAuth `client_id`." }),
    issuedAt: t.expose("issuedAt", { type: "DateTime", description: "Timestamp of the registration." }),
    appName: t.exposeString("appName", { description: "The registered name." }),
    redirectUris: t.exposeStringList("redirectUris", { description: "The registered redirect URIs." }),
  }),
});

builder.mutationField("registerDynamicClient", (t) =>
  t.field({
    ...INTERNAL,
    type: RegisterDynamicClientSuccess,
    description: "Registers a public application, like `POST /oauth/register`.",
    errors: {
      types: [...OAUTH_ERRORS, NotFoundError, RateLimitedError],
      union: { name: "RegisterDynamicClientResult", description: "The application or an error." },
    },
    args: { input: t.arg({ type: RegisterDynamicClientInput, required: true, description: "The request." }) },
    resolve: async (_root, { input }, { deps, ip }) => {
      if (!deps.dynamicRegistration.isEnabled) throw new NotFoundError("Dynamic registration is not enabled here.");
      await limitByNetwork(deps, "oauth_register", ip, REGISTRATIONS_PER_HOUR, HOUR_SECONDS);
      return await registerDynamicClient(deps, input.metadata);
    },
  }),
);
