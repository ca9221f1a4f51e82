/** Mutations whose result is an event in the security log. */
import { GraphQLError, type GraphQLFieldResolver, type GraphQLSchema } from "graphql";
import type { Viewer } from "../src/accounts/viewer.ts";
import type { SecurityEventName } from "../src/platform/observability/security-log.ts";
import type { Context } from "./context.ts";

type Args = { readonly input?: Readonly<Record<string, unknown>> };
type Details = Readonly<Record<string, string | undefined>>;

interface LoggedMutation {
  readonly event: SecurityEventName;
  readonly details?: (input: Readonly<Record<string, unknown>>) => Details;
}

const acted: LoggedMutation = { event: "administrator.acted" };
const idOf = (input: Readonly<Record<string, unknown>>) => ({ subjectId: textOf(input["id"] ?? input["accountId"]) });

/** Mutations by name. Those that administrators add also belong here, as `acted`. */
const LOGGED: Readonly<Record<string, LoggedMutation>> = {
  startEmailSignIn: { event: "sign_in.code_requested" },
  completeEmailSignIn: { event: "sign_in.email_code" },
  completePasskeySignIn: { event: "sign_in.passkey" },
  completePasskeySignUp: { event: "sign_up.passkey" },
  signOut: { event: "sign_out" },
  revokeSession: { event: "session.revoked", details: idOf },
  revokeOtherSessions: { event: "session.revoked" },
  completePasskeyRegistration: { event: "passkey.added" },
  removePasskey: { event: "passkey.removed", details: idOf },
  startEmailChange: { event: "email.change_requested" },
  completeEmailChange: { event: "email.changed" },
  createApiToken: { event: "token.created" },
  changeApiTokenCardBudget: { event: "token.card_budget_changed", details: idOf },
  revokeApiToken: { event: "token.revoked", details: idOf },
  createLoginToken: { event: "login_token.created" },
  createPurchaseToken: { event: "purchase_token.created" },
  revokePurchaseToken: { event: "purchase_token.revoked", details: idOf },
  setAccountLimits: { event: "account.limits_changed" },
  setX402Enabled: { event: "account.setting_changed", details: () => ({ setting: "x402" }) },
  setStrictScopes: { event: "account.setting_changed", details: () => ({ setting: "strict_scopes" }) },
  decideAuthorization: {
    event: "consent.decided",
    details: ({ approve }) => ({ decision: approve === true ? "approved" : "denied" }),
  },
  updateGrantLimits: { event: "consent.limits_changed", details: idOf },
  disconnectApp: { event: "consent.revoked", details: idOf },
  issueOAuthToken: {
    event: "oauth.token_issued",
    details: ({ grantType, clientId }) => ({ grantType: clientIdOf(grantType), clientId: clientIdOf(clientId) }),
  },
  revokeOAuthToken: { event: "oauth.token_revoked", details: ({ clientId }) => ({ clientId: clientIdOf(clientId) }) },
  registerOAuthClient: { event: "oauth_client.registered" },
  updateOAuthClient: { event: "oauth_client.updated", details: idOf },
  rotateOAuthClientSecret: { event: "oauth_client.secret_rotated", details: idOf },
  rotateWebhookSecret: { event: "webhook.secret_rotated", details: idOf },
  addCard: { event: "card.added" },
  removeCard: { event: "card.removed", details: idOf },
  createCheckoutPolicy: { event: "policy.created" },
  revokeCheckoutPolicy: { event: "policy.revoked", details: idOf },
  approvePurchase: { event: "purchase.decided", details: () => ({ decision: "approved" }) },
  denyPurchase: { event: "purchase.decided", details: () => ({ decision: "denied" }) },
  stopEverything: { event: "account.frozen" },
  resumeAccount: { event: "account.resumed" },
  confirmAccountRecovery: { event: "email.recovery_confirmed" },
  ...Object.fromEntries(
    [
      "createAccount",
      "reviewOAuthClient",
      "vetMerchant",
      "openAgentDispute",
      "closeAgentDispute",
      "freezeAccount",
      "unfreezeAccount",
      "freezeService",
      "unfreezeService",
      "endAccountSessions",
      "revokeAccountCredentials",
      "startAccountRecovery",
      "resendAccountRecovery",
      "cancelAccountRecovery",
      "confirmAdministratorProposal",
      "rejectAdministratorProposal",
    ].map((name) => [name, { event: "administrator.acted", details: idOf } as const]),
  ),
};

const MAX_LOGGED_CHARS = 100;

/** Returns an id of a caller that may be any text, if it looks like an id. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= MAX_LOGGED_CHARS && /^[\w.:=+/-]+$/.test(value)
    ? value
    : undefined;
}

/** As `textOf`, and not a secret that was sent as the wrong parameter. */
function clientIdOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^(?:cl_\d+_\w+|[a-z_]{1,30})$/.test(text) ? text : undefined;
}

/** Makes the mutations of a schema log their result. Changes the schema and returns it. */
export function logSecurityEvents(schema: GraphQLSchema): GraphQLSchema {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.resolve) field.resolve = loggedResolver(name, field.resolve);
  }
  return schema;
}

type Resolver = GraphQLFieldResolver<unknown, unknown>;

function loggedResolver(name: string, resolve: Resolver): Resolver {
  const mutation = LOGGED[name];
  if (mutation)
    return (root, args, context, info) =>
      run(mutation, name, () => resolve(root, args, context, info), args, context as Context);
  // The operator has no account of its own: what it changes concerns others.
  return (root, args, context, info) =>
    (context as Context).viewer?.kind === "operator"
      ? run(acted, name, () => resolve(root, args, context, info), args, context as Context)
      : resolve(root, args, context, info);
}

async function run(
  { event, details }: LoggedMutation,
  operation: string,
  resolve: () => unknown,
  { input = {} }: Args,
  context: Context,
): Promise<unknown> {
  const before = context.viewer;
  const log = (outcome: "success" | "failure", error?: unknown) => {
    const { requestId, ip, viewer } = context;
    context.deps.securityLog(event, {
      outcome,
      ...(outcome === "failure" && { code: codeOf(error) }),
      // A sign-in sets the viewer, and a sign-out removes it.
      ...describeViewer(viewer ?? before),
      ...{ requestId, ip },
      details: { operation, ...details?.(input) },
    });
  };
  try {
    const result = await resolve();
    log(isErrorResult(result) ? "failure" : "success", result);
    return result;
  } catch (error) {
    log("failure", error);
    throw error;
  }
}

/** Only the proxies in which the errors plugin returns members of a result union have it; `instanceof` fails for them. */
const UNWRAP = Symbol.for("Pothos.unwrapErrors");

function isErrorResult(result: unknown): boolean {
  return typeof (result as { readonly [UNWRAP]?: unknown } | null | undefined)?.[UNWRAP] === "function";
}

function describeViewer(viewer: Viewer | null) {
  if (viewer === null) return {};
  if (viewer.kind === "operator") return { credentialKind: "operator" };
  const { accountId, credentialKind, credentialId } = viewer;
  return { accountId, credentialKind, credentialId };
}

/** Returns the stable code of an error. Messages may quote input. */
function codeOf(error: unknown): string {
  const { code, error: protocolCode } = error as { readonly code?: unknown; readonly error?: unknown };
  if (typeof protocolCode === "string") return protocolCode;
  if (typeof code === "string") return code;
  const extension = error instanceof GraphQLError ? error.extensions["code"] : undefined;
  return typeof extension === "string" ? extension : "internal_error";
}
