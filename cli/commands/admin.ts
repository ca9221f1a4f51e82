/** Commands of the operator. They send the admin token from SATCHEL_ADMIN_TOKEN instead of a stored sign-in. */
import type { CommandContext } from "../command.ts";
import { CliError, EXIT, UsageError } from "../errors.ts";
import { callJson } from "../http.ts";
import { formatPairs, formatTable } from "../output.ts";

// biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
type Data = any;

/** Returns the operator's token. @throws {CliError} it is not set */
export function readAdminToken(): string {
  const token = process.env["SATCHEL_ADMIN_TOKEN"] ?? "";
  if (token !== "") return token;
  throw new CliError(
    "SATCHEL_ADMIN_TOKEN is not set. Set it to the service's ADMIN_TOKEN.",
    EXIT.notSignedIn,
    "not_signed_in",
  );
}

/** Runs an operation as the operator. @throws {CliError} with the first error's message */
async function execute(baseUrl: string, query: string, variables: object = {}): Promise<Data> {
  const body = { query, variables };
  const { data, errors } = await callJson<{ data?: Data; errors?: Data[] }>(baseUrl, readAdminToken(), {
    ...{ method: "POST", path: "/graphql", body },
  });
  const [error] = errors ?? [];
  if (!data || error) {
    throw new CliError(error?.message ?? "The service returned no data.", EXIT.failed, error?.extensions?.code);
  }
  const [result] = Object.values(data) as Data[];
  if (result?.code) throw new CliError(result.message, EXIT.failed, result.code.toLowerCase());
  return result;
}

const nodesOf = (connection: Data): Data[] => connection.edges.map(({ node }: Data) => node);
const formatTime = (time: string) => time.slice(0, 19).replace("T", " ");

const FIND = `query ($search: String) { accounts(search: $search, first: 50) { edges { node { accountId email createdAt mailboxAddress } } } }`;

/** Finds accounts by exactly one identifier. */
export async function findAccount({ baseUrl, positionals, output }: CommandContext): Promise<void> {
  const [search = ""] = positionals;
  const accounts = nodesOf(await execute(baseUrl, FIND, { search }));
  output.result(accounts, () =>
    accounts.length === 0
      ? ["No account has this identifier."]
      : formatTable(
          [{ title: "Account" }, { title: "Email" }, { title: "Created (UTC)" }],
          accounts.map(({ accountId, email, createdAt }) => [accountId, email ?? "", formatTime(createdAt)]),
        ),
  );
}

const SHOW = `query ($id: ID!) { administeredAccount(id: $id) {
  accountId sub email displayName createdAt frozenAt frozenBy freezeReason x402Enabled strictScopes passkeyCount identityIssuers creditUsd
  spending { day { settledUsd limitUsd } month { settledUsd limitUsd } } evmAddress solanaAddress mailboxAddress
  agent { agentRecordId status network agentId failureReason }
  credentials { credentialId kind name scopes createdAt lastUsedAt expiresAt }
  lastEvents { eventId type subjectId createdAt } pendingRecovery { recoveryId newEmail confirmedAt effectiveAt } } }`;

/** Prints an account's state without secrets. */
export async function showAccount({ baseUrl, positionals, output }: CommandContext): Promise<void> {
  const account = await execute(baseUrl, SHOW, { id: positionals[0] });
  if (!account) throw new CliError(`There is no account ${positionals[0]}.`, EXIT.failed, "not_found");
  const { agent, pendingRecovery, credentials, spending } = account;
  const countOf = (kind: string) => credentials.filter((it: Data) => it.kind === kind).length;
  output.result(account, () =>
    formatPairs([
      ["Account", account.accountId],
      ["Email", account.email],
      ["Created", formatTime(account.createdAt)],
      ["Frozen", account.frozenBy && `by ${account.frozenBy.toLowerCase()} ${formatTime(account.frozenAt)}`],
      ["Reason", account.freezeReason],
      ["Passkeys", String(account.passkeyCount)],
      ["X402", account.x402Enabled ? "enabled" : "disabled"],
      ["Spent today", `${spending.day.settledUsd} of ${spending.day.limitUsd ?? "unlimited"} USD`],
      ["Credit", `${account.creditUsd} USD`],
      ["EVM", account.evmAddress],
      ["Solana", account.solanaAddress],
      ["Mailbox", account.mailboxAddress],
      ["Agent", agent ? [agent.status, agent.agentId].filter(Boolean).join(" ") : null],
      ["Sessions", String(countOf("SESSION"))],
      ["API tokens", String(countOf("API_TOKEN"))],
      ["Apps", String(countOf("OAUTH_GRANT"))],
      [
        "Recovery",
        pendingRecovery ? `to ${pendingRecovery.newEmail}, ${formatTime(pendingRecovery.effectiveAt)}` : null,
      ],
    ]),
  );
}

const END = `mutation ($input: EndAccountSessionsInput!) { endAccountSessions(input: $input) {
  ... on EndAccountSessionsSuccess { endedCount } ... on Error { code message } } }`;

/** Ends all sessions of an account. */
export async function endSessions({ baseUrl, positionals, values, output }: CommandContext): Promise<void> {
  const { reason } = values;
  if (typeof reason !== "string") throw new UsageError("--reason is required. It is recorded with the act.");
  const result = await execute(baseUrl, END, { input: { accountId: positionals[0], reason } });
  output.result(result, () => [`Sessions ended: ${result.endedCount}`]);
}

const ACTS = `query ($filter: AdministratorActFilter, $first: Int) { administratorActs(filter: $filter, first: $first) { edges { node {
  actId action reason actorAccountId subjectAccountId subjectType subjectId before after proposalId createdAt } } } }`;

/** Lists acts of administrators, newest first. */
export async function listActs({ baseUrl, values, output }: CommandContext): Promise<void> {
  const filter = values["account"] ? { subjectAccountId: values["account"] } : null;
  const acts = nodesOf(await execute(baseUrl, ACTS, { filter, first: 100 }));
  output.result(acts, () =>
    acts.length === 0
      ? ["No acts."]
      : formatTable(
          [
            { title: "Time (UTC)" },
            { title: "Act" },
            { title: "Administrator" },
            { title: "Subject" },
            { title: "Reason" },
          ],
          acts.map((it) => [
            ...[formatTime(it.createdAt), it.action, it.actorAccountId ?? "operator"],
            ...[it.subjectId ?? "", it.reason ?? ""],
          ]),
        ),
  );
}

const TREASURY = `{ treasury { evmAddress solanaAddress networks { network address isLow
  native { amount symbol } usdc { amount symbol } lowNative { amount } lowUsdc { amount } } } }`;

/** Prints the treasury's addresses and balances. */
export async function treasury({ baseUrl, output }: CommandContext): Promise<void> {
  const result = await execute(baseUrl, TREASURY);
  output.result(result, () =>
    formatTable(
      [{ title: "Network" }, { title: "Address" }, { title: "Native" }, { title: "USDC" }, { title: "" }],
      result.networks.map((it: Data) => [
        ...[it.network, it.address ?? "unavailable", it.native ? `${it.native.amount} ${it.native.symbol}` : ""],
        ...[it.usdc?.amount ?? "", it.isLow ? "LOW" : ""],
      ]),
    ),
  );
}
