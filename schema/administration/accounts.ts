/** Accounts as administrators see them: their state, without secrets. */
import type { Prisma } from "../../generated/prisma/client.ts";
import {
  type ActiveCredential,
  type CREDENTIAL_KINDS,
  listActiveCredentials,
} from "../../src/accounts/administration/active-credentials.ts";
import { findAccountIds } from "../../src/accounts/administration/find-accounts.ts";
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import { formatSubject } from "../../src/accounts/subject.ts";
import { readCredit } from "../../src/wallet/balance.ts";
import { NETWORK_NAMES } from "../../src/wallet/networks.ts";
import { builder } from "../builder.ts";
import { resolveConnection } from "../connection.ts";
import { FrozenByEnum } from "../freeze/frozen-by.ts";
import { findOwnId, idOf } from "../global-id.ts";
import { NEWEST_FIRST, PAGES, prismaList } from "../paging.ts";
import { Spending } from "../wallet/spending.ts";
import { wireEnum } from "../wire-enum.ts";
import { READING_COST, readBalances, WalletBalanceType } from "./balances.ts";
import { ADMINISTRATORS_ONLY } from "./errors.ts";
import { AccountRecoveryType } from "./recoveries.ts";

const CredentialKindEnum = wireEnum<(typeof CREDENTIAL_KINDS)[number]>("CredentialKind", "The kind of a credential.", {
  session: "A signed-in browser.",
  api_token: "An API token.",
  oauth_grant: "A connected application.",
  purchase_token: "A one-time purchase token.",
});

const AdministeredCredential = builder.objectRef<ActiveCredential>("AdministeredCredential").implement({
  description: "A credential of an account that is neither revoked nor expired, without its secret.",
  fields: (t) => ({
    credentialId: t.exposeID("id", { description: "The id of the credential." }),
    kind: t.expose("kind", { type: CredentialKindEnum, description: "The kind of the credential." }),
    name: t.exposeString("name", {
      nullable: true,
      description: "The browser of a session, the name of a token or application, or the URL of a purchase token.",
    }),
    scopes: t.exposeStringList("scopes", { description: "The scopes. Empty for sessions and purchase tokens." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when it was created." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when it was last used. Null if it was not, or if that is unknown.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when it expires. Null if it does not.",
    }),
  }),
});

const AdministeredAgent = builder.prismaObject("Agent", {
  variant: "AdministeredAgent",
  description: "The agent of an account.",
  fields: (t) => ({
    agentRecordId: t.exposeID("id", { description: "The id of the agent's record: `agt_…`." }),
    status: t.exposeString("status", { description: "The status: `pending`, `active` or `revoked`." }),
    network: t.expose("network", { type: "NetworkName", description: "The network of its registry." }),
    agentId: t.string({
      nullable: true,
      description: "The id in the registry. Null until the registration is on chain.",
      resolve: ({ agentId }) => agentId?.toString() ?? null,
    }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description: "The reason why the last step of the registration failed. Null if it did not.",
    }),
  }),
});

const AdministeredEvent = builder.prismaObject("AccountEvent", {
  variant: "AdministeredEvent",
  description: "An event of an account, without its content.",
  fields: (t) => ({
    eventId: t.exposeID("id", { description: "The id of the event: `evt_…`." }),
    type: t.exposeString("type", { description: "The type, such as `payment.settled`." }),
    subjectId: t.exposeID("subjectId", { description: "The id of the object that the event is about." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp of the event." }),
  }),
});

/** Number of events of an account that are listed. */
const LAST_EVENTS = 20;

export const AdministeredAccount = builder.prismaObject("Account", {
  variant: "AdministeredAccount",
  description: "An account as administrators see it: its state, without secrets.",
  fields: (t) => ({
    accountId: t.exposeID("id", { description: "The id of the account." }),
    sub: t.id({
      description: "The subject identifier of the account for applications: `did:web:<host>:users:<uuid>`.",
      resolve: ({ id }, _args, { deps }) => formatSubject(deps.site.baseUrl(), id),
    }),
    email: t.exposeString("email", {
      nullable: true,
      description: "The verified email address. Null if the account has no address.",
    }),
    displayName: t.exposeString("displayName", { nullable: true, description: "The display name." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the account was created." }),
    x402Enabled: t.boolean({
      description: "Whether X402 payments are enabled.",
      resolve: ({ x402EnabledAt }) => x402EnabledAt !== null,
    }),
    frozenAt: t.expose("frozenAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the account was frozen. Null if it is not frozen.",
    }),
    frozenBy: t.field({
      type: FrozenByEnum,
      nullable: true,
      select: { frozenBy: true },
      description: "Who froze the account. Null if it is not frozen.",
      resolve: ({ frozenBy }) => frozenBy as "owner" | null,
    }),
    freezeReason: t.exposeString("freezeReason", {
      nullable: true,
      description: "The reason of the freeze. Null if the account is not frozen, or its owner gave none.",
    }),
    strictScopes: t.exposeBoolean("strictScopes", { description: "Whether declared scopes are enforced." }),
    passkeyCount: t.relationCount("passkeys", { description: "The number of passkeys that can sign in." }),
    identityIssuers: t.stringList({
      select: { identities: { select: { issuer: true } } },
      description: "The OpenID providers that can sign in.",
      resolve: ({ identities }) => identities.map(({ issuer }) => issuer),
    }),
    spending: t.field({
      type: Spending,
      complexity: 5,
      description: "The account's own limits and spending.",
      resolve: ({ id }) => id,
    }),
    creditUsd: t.field({
      type: "Usd",
      complexity: 5,
      description: "The available free credit.",
      resolve: ({ id }, _args, { deps }) => readCredit(deps, id),
    }),
    evmAddress: t.string({
      nullable: true,
      select: { wallet: { select: { evmAddress: true } } },
      description: "The wallet's address on EVM networks.",
      resolve: ({ wallet }) => wallet?.evmAddress ?? null,
    }),
    solanaAddress: t.string({
      nullable: true,
      select: { wallet: { select: { solanaAddress: true } } },
      description: "The wallet's address on Solana networks.",
      resolve: ({ wallet }) => wallet?.solanaAddress ?? null,
    }),
    balances: t.field({
      type: [WalletBalanceType],
      complexity: { field: NETWORK_NAMES.length * READING_COST, multiplier: NETWORK_NAMES.length },
      select: { wallet: { select: { evmAddress: true, solanaAddress: true } } },
      description: "The balance on each configured network, read from the chain.",
      resolve: async ({ wallet }, _args, context) =>
        wallet ? await readBalances(context, { ...wallet, evmAddress: wallet.evmAddress as `0x${string}` }) : [],
    }),
    mailboxAddress: t.string({
      nullable: true,
      select: { mailbox: { select: { address: true } } },
      description: "The address of the agent's mailbox. Null if there is none.",
      resolve: ({ mailbox }) => mailbox?.address ?? null,
    }),
    agent: t.relation("agent", {
      type: AdministeredAgent,
      nullable: true,
      description: "The agent. Null if the account has none.",
    }),
    credentials: t.field({
      type: [AdministeredCredential],
      complexity: { field: 20, multiplier: 20 },
      description: "The newest credentials that are neither revoked nor expired, at most 50 of each kind.",
      resolve: ({ id }, _args, { deps }) => listActiveCredentials(deps.db, id),
    }),
    lastEvents: t.relation("events", {
      type: AdministeredEvent,
      complexity: { field: 5, multiplier: LAST_EVENTS },
      description: `The last ${LAST_EVENTS} events, newest first.`,
      query: { orderBy: [{ recordedAt: "desc" }, { id: "desc" }], take: LAST_EVENTS },
    }),
    pendingRecovery: t.prismaField({
      type: AccountRecoveryType,
      nullable: true,
      complexity: 5,
      description: "The pending change of the email address by an administrator. Null if there is none.",
      resolve: (query, { id }, _args, { deps }) =>
        deps.db.prisma.accountRecovery.findUnique({ ...query, where: { slot: id } }),
    }),
  }),
});

builder.queryField("accounts", (t) =>
  t.connection(
    {
      type: AdministeredAccount,
      ...PAGES,
      description: `The accounts, newest first. ${ADMINISTRATORS_ONLY}`,
      args: {
        search: t.arg.string({
          description:
            "Only accounts with exactly this id, subject, email address, wallet address, mailbox address, agent record id or agent id on chain. Default: all accounts.",
        }),
      },
      resolve: async (_root, args, context, info) => {
        requireReviewer(context.viewer);
        const { db, site, agents } = context.deps;
        const search = args.search?.trim() ?? "";
        const given = findOwnId("Account", search) ?? search;
        const sought = { db, baseUrl: site.baseUrl(), registry: agents.registry };
        const where: Prisma.AccountWhereInput =
          search === "" ? {} : { id: { in: await findAccountIds(sought, given) } };
        const accounts = prismaList(
          {},
          where,
          (query: Prisma.AccountFindManyArgs) => db.prisma.account.findMany({ ...query, orderBy: NEWEST_FIRST }),
          (query) => db.prisma.account.count(query),
        );
        return await resolveConnection(args, context, info, accounts);
      },
    },
    { name: "AdministeredAccountConnection", description: "A page of accounts." },
    { name: "AdministeredAccountEdge", description: "An account in a list." },
  ),
);

builder.queryField("administeredAccount", (t) =>
  t.prismaField({
    type: AdministeredAccount,
    nullable: true,
    description: `An account by its id. Null for an unknown id. ${ADMINISTRATORS_ONLY}`,
    args: { id: t.arg.id({ required: true, description: "The id of the account.", validate: idOf("Account") }) },
    resolve: (query, _root, { id }, { deps, viewer }) => {
      requireReviewer(viewer);
      return deps.db.prisma.account.findUnique({ ...query, where: { id } });
    },
  }),
);
