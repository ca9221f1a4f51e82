import { getAccessToken } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { CliError, EXIT } from "../errors.ts";
import { callJson } from "../http.ts";
import { formatPairs } from "../output.ts";
import { readAdminToken } from "./admin.ts";

interface InFlight {
  readonly kind: string;
  readonly operationId: string;
  readonly outlook: string;
}

interface Result {
  readonly code?: string;
  readonly message?: string;
  readonly account?: { readonly accountId: string; readonly inFlight: readonly InFlight[] };
  readonly freeze?: { readonly accountId?: string; readonly inFlight?: readonly InFlight[] };
  readonly inFlight?: readonly InFlight[];
}

const IN_FLIGHT = "inFlight { kind operationId outlook }";
const FAILURE = "... on Error { code message }";

const STOP = `mutation ($reason: String) { result: stopEverything(input: { reason: $reason }) {
  ... on StopEverythingSuccess { account { accountId ${IN_FLIGHT} } } ${FAILURE} } }`;

const ofAccount = (name: "freezeAccount" | "unfreezeAccount", success: string) =>
  `mutation ($id: ID!, $reason: String!) { result: ${name}(input: { accountId: $id, reason: $reason }) {
    ... on ${success} { freeze { accountId ${IN_FLIGHT} } } ${FAILURE} } }`;
const FREEZE_ACCOUNT = ofAccount("freezeAccount", "FreezeAccountSuccess");
const UNFREEZE_ACCOUNT = ofAccount("unfreezeAccount", "UnfreezeAccountSuccess");
const FREEZE_SERVICE = `mutation ($reason: String!) { result: freezeService(input: { reason: $reason }) {
  ... on FreezeServiceSuccess { ${IN_FLIGHT} } ${FAILURE} } }`;
const UNFREEZE_SERVICE = `mutation ($reason: String!) { result: unfreezeService(input: { reason: $reason }) {
  ... on UnfreezeServiceSuccess { wasFrozen } ${FAILURE} } }`;

/** Freezes the signed-in account. With the admin token, freezes another account or the whole service. */
export async function freeze({ baseUrl, values, output }: CommandContext): Promise<void> {
  const { account, service, reason } = readOptions(values);
  let result: Result;
  if (service) result = await run(baseUrl, readAdminToken(), FREEZE_SERVICE, { reason: requireReason(reason) });
  else if (account !== null) {
    result = await run(baseUrl, readAdminToken(), FREEZE_ACCOUNT, { id: account, reason: requireReason(reason) });
  } else {
    const accessToken = await getAccessToken(baseUrl);
    result = await run(baseUrl, accessToken, STOP, { reason });
  }
  const frozen = service ? "service" : (result.account ?? result.freeze)?.accountId;
  const inFlight = result.inFlight ?? (result.account ?? result.freeze)?.inFlight ?? [];
  output.result({ frozen, inFlight }, () =>
    formatPairs([
      ["Frozen", frozen ?? ""],
      ["In flight", String(inFlight.length)],
      ...inFlight.map(({ operationId, kind, outlook }) => [operationId, `${kind} ${outlook}`] as const),
    ]),
  );
}

/** Ends the freeze of an account or of the service, with the admin token. The owner resumes the own account in the dashboard. */
export async function unfreeze({ baseUrl, values, output }: CommandContext): Promise<void> {
  const { account, service, reason } = readOptions(values);
  if (account === null && !service) {
    throw new CliError(
      "Pass --account or --service. You resume your own account in the dashboard, with a passkey.",
      EXIT.usage,
    );
  }
  const variables = { reason: requireReason(reason) };
  await (service
    ? run(baseUrl, readAdminToken(), UNFREEZE_SERVICE, variables)
    : run(baseUrl, readAdminToken(), UNFREEZE_ACCOUNT, { ...variables, id: account }));
  const unfrozen = service ? "service" : account;
  output.result({ unfrozen }, () => formatPairs([["Unfrozen", unfrozen ?? ""]]));
}

function readOptions(values: CommandContext["values"]) {
  const account = (values["account"] as string | undefined) ?? null;
  const service = values["service"] === true;
  if (account !== null && service) throw new CliError("Pass --account or --service, not both.", EXIT.usage);
  return { account, service, reason: (values["reason"] as string | undefined) ?? null };
}

function requireReason(reason: string | null): string {
  if (reason === null) throw new CliError("Pass --reason. The service records it.", EXIT.usage);
  return reason;
}

async function run(baseUrl: string, token: string, query: string, variables: object): Promise<Result> {
  const body = { query, variables };
  const { data, errors } = await callJson<{ data?: { result: Result | null }; errors?: { message: string }[] }>(
    baseUrl,
    token,
    { method: "POST", path: "/graphql", body },
  );
  const result = data?.result;
  const failure = result?.message ?? errors?.[0]?.message;
  if (!result || failure !== undefined) {
    throw new CliError(failure ?? "The service returned no result.", EXIT.failed, result?.code?.toLowerCase());
  }
  return result;
}
