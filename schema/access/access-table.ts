/**
 * The access table: who may use each field that the caller names or that leads to other objects. The schema does not build while a
 * field is missing here. `docs/access.md` prints it.
 */
import type { Scope } from "../../src/accounts/viewer.ts";
import type { NodeName } from "../global-id.ts";

/**
 * The caller that a field requires, from the widest to the narrowest.
 * - `anyone`: no credential
 * - `payer`: any credential of an account, one-time purchase tokens included
 * - `account`: any credential of an account except one-time purchase tokens
 * - `manager`: one with the scope `account:manage`, also without strict scopes
 * - `owner`: a signed-in browser
 * - `administrator`: a signed-in browser of an administrator
 * - `operator`: the holder of `ADMIN_TOKEN`
 */
export type Caller = "anyone" | "payer" | "account" | "manager" | "owner" | "administrator" | "operator";

export interface Access {
  readonly caller: Caller;
  /** Scopes that are required too where scopes are enforced. */
  readonly scopes: readonly Scope[];
  /** Scopes in place of these on REST routes, whose contract knows fewer. */
  readonly scopesOnRoutes?: readonly Scope[];
  /** Whether they are enforced for every credential, also without strict scopes. */
  readonly isAlwaysEnforced?: boolean;
}

type RootType = "Query" | "Mutation" | "Subscription" | "Viewer";

interface Rule extends Access {
  /** Names of fields by the type that has them, separated by spaces. */
  readonly fields: Readonly<Partial<Record<RootType, string>>>;
}

const allow = (caller: Caller, scopes: readonly Scope[], fields: Rule["fields"]): Rule => ({ caller, scopes, fields });

const RULES: readonly Rule[] = [
  allow("anyone", [], {
    // `node` and `nodes` require what the type requires. `authorizationRequest` requires the secret in its argument, and the fields
    // of the OAuth routes the credentials of an application.
    Query: `authorizationRequest authorizationServer introspectOAuthToken isServiceFrozen node nodes signInMethods tradeTokens`,
    Mutation: `beginAuthorization beginDeviceAuthorization continueAuthorization issueOAuthToken pushAuthorizationRequest registerDynamicClient revokeOAuthToken completeEmailSignIn completePasskeySignIn completePasskeySignUp confirmAccountRecovery signOut startEmailSignIn
      startPasskeySignIn startPasskeySignUp`,
  }),
  allow("payer", ["payments:sign"], { Mutation: "callPaidTool x402Fetch" }),
  // Public data, and what every credential may know of itself. Each type of event and each purpose of a question has its own rule.
  allow("account", [], {
    Query: `allModels approvalOfToken cartQuote checkoutReliabilityWindowDays event merchant merchants model models
      paidTools productLookup productSearch tradeQuote viewer x402Requirements`,
    Mutation: "answerOrderQuestion cancelAccountRecovery",
    Subscription: "accountEventOccurred",
    Viewer: "agentId apiToken events grant id isAdministrator session sub",
  }),
  allow("account", ["payments:sign"], {
    Mutation: "completeChat proxyChat signPayment",
    Subscription: "chatCompletion",
  }),
  allow("account", ["orders:write"], { Mutation: "dispatchOrder exploreShop startDryRun" }),
  allow("account", ["trade:execute"], { Mutation: "trade" }),
  allow("account", ["balance:read"], { Subscription: "balanceUpdated", Viewer: "cardBudget effectiveLimits wallet" }),
  allow("account", ["transactions:read"], {
    Query:
      "checkoutOrder checkoutReliability declinedPayment exploredMerchant gatewayCall orderQuestion purchaseApproval trade transaction",
    Subscription: "approvalRequested gatewayCallUpdated orderUpdated tradeUpdated transactionUpdated",
    Viewer: "declinedPayments gatewayCalls gatewayUsage orders purchaseApprovals spendingHistory trades transactions",
  }),
  allow("account", ["email:read"], {
    Query: "mailAttachment mailDraft mailMessage mailThread",
    Mutation: `createMailDraft createMailbox deleteMail deleteMailDraft markMailRead removeMailRule removeMailSuppression setMailRule
      updateMailDraft`,
    Subscription: "mailReceived mailRecipientUpdated mailUpdated",
    Viewer: "mailbox",
  }),
  {
    ...allow("account", ["email:read", "email:send"], { Mutation: "replyToMail sendMail sendMailDraft" }),
    scopesOnRoutes: ["email:read"],
  },
  allow("account", ["agent:read"], {
    Query: "agent agentCredential agentDispute",
    Subscription: "agentUpdated",
    Viewer: "agent agentCredentials agentRegistration",
  }),
  // Signed as the agent, so the scopes are those of an authority, not of a view.
  {
    ...allow("account", ["agent:read", "payments:sign"], { Mutation: "presentAgentCredential" }),
    isAlwaysEnforced: true,
  },
  allow("account", ["account:read"], {
    Query: "apiToken oauthClient oauthGrant purchaseToken",
    Viewer: "account apiTokens connectedApps oauthClients purchaseTokens",
  }),
  allow("account", ["cards:read"], {
    Query: "checkoutPolicy paymentCard",
    Viewer: "cards checkoutPolicies checkoutPolicy keepsSecurityCodes",
  }),
  allow("account", ["account:manage"], { Query: "webhook webhookDelivery", Viewer: "webhooks" }),
  allow("manager", [], {
    Query: "passkey session",
    Mutation: `createApiToken createWebhook deleteWebhook disconnectApp registerOAuthClient reinstateAgent replayEventsSince
      replayWebhookDelivery revokeAgent revokeApiToken revokeOtherSessions revokePurchaseToken revokeSession
      rotateOAuthClientSecret rotateWebhookSecret sendTestEvent sendTokens setAccountLimits setAgentRegistration
      setStrictScopes setX402Enabled stopEverything updateOAuthClient updateWebhook`,
    Viewer: "passkeys pendingRecovery sessions",
  }),
  allow("manager", ["payments:sign"], { Mutation: "createPurchaseToken payPurchaseToken" }),
  allow("owner", [], {
    Query: "accountExport",
    Mutation: `addCard approvePurchase cancelAccountDeletion changeApiTokenCardBudget completeEmailChange completePasskeyRegistration createCheckoutPolicy
      createLoginToken decideAuthorization denyPurchase findDeviceRequest removeCard removePasskey renamePasskey requestAccountDeletion
      requestAccountExport resumeAccount revokeCheckoutPolicy setDefaultCard startCheckoutPolicy startEmailChange
      startPasskeyRegistration startPurchaseApproval updateCard updateGrantLimits`,
    Subscription: "accountExportUpdated",
    Viewer: "accountDeletion accountExports",
  }),
  allow("administrator", [], {
    Query: `accounts administeredAccount administratorActs administratorProposals agentDisputes chainAudit chainDifference
      chainDifferences exploredMerchants inFlightOperations oauthBlockedDomains oauthClientsToReview serviceFreeze treasury`,
    Mutation: `closeAgentDispute confirmAdministratorProposal endAccountSessions freezeAccount freezeService openAgentDispute
      rejectAdministratorProposal resendAccountRecovery reviewOAuthClient revokeAccountCredentials setOAuthDomainBlock startAccountRecovery
      unfreezeAccount unfreezeService vetMerchant`,
  }),
  allow("operator", [], { Mutation: "createAccount" }),
];

/** Access to each field of the root types and of `Viewer`, by `Type.field`. */
export const FIELD_ACCESS: ReadonlyMap<string, Access> = new Map(
  RULES.flatMap(({ fields, ...access }) =>
    Object.entries(fields).flatMap(([type, names]) =>
      names.split(/\s+/).map((name) => [`${type}.${name}`, access] as const),
    ),
  ),
);

const OF_ACCOUNT: Access = { caller: "account", scopes: [] };
const MANAGED: Access = { caller: "account", scopes: ["account:manage"] };
const reading = (scope: Scope): Access => ({ caller: "account", scopes: [scope] });

/**
 * What reading an object requires that is reached by its id, or from another object. Administrators read these of other accounts
 * too, and the operator; the resolvers decide which.
 */
export const NODE_ACCESS: Readonly<Record<NodeName, Access>> = {
  Account: reading("account:read"),
  // Each type of event has its own scope.
  AccountEvent: OF_ACCOUNT,
  AccountExport: { caller: "owner", scopes: [] },
  Agent: reading("agent:read"),
  AgentCredential: reading("agent:read"),
  AgentDispute: reading("agent:read"),
  ApiToken: reading("account:read"),
  ChainDifference: { caller: "administrator", scopes: [] },
  CheckoutOrder: reading("transactions:read"),
  CheckoutPolicy: reading("cards:read"),
  DeclinedPayment: reading("transactions:read"),
  ExploredMerchant: reading("transactions:read"),
  GatewayCall: reading("transactions:read"),
  MailAttachment: reading("email:read"),
  MailDraft: reading("email:read"),
  MailMessage: reading("email:read"),
  MailRule: reading("email:read"),
  MailSuppression: reading("email:read"),
  MailThread: reading("email:read"),
  Mailbox: reading("email:read"),
  Merchant: OF_ACCOUNT,
  OAuthClient: reading("account:read"),
  OAuthGrant: reading("account:read"),
  OrderQuestion: reading("transactions:read"),
  Passkey: MANAGED,
  PaymentCard: reading("cards:read"),
  PurchaseApproval: reading("transactions:read"),
  PurchaseToken: reading("account:read"),
  Session: MANAGED,
  Trade: reading("transactions:read"),
  Transaction: reading("transactions:read"),
  Viewer: OF_ACCOUNT,
  Wallet: reading("balance:read"),
  Webhook: MANAGED,
  WebhookDelivery: MANAGED,
};
