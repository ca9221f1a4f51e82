import { randomUUID } from "node:crypto";
import { getAccessToken } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { CliError, EXIT } from "../errors.ts";
import { callRoute, parseFailure, toConnectionError } from "../http.ts";
import type { Output } from "../output.ts";
import { parseJson, parseUrl, parseWholeNumber } from "../values.ts";

const MAX_TIMEOUT_SECONDS = 100;

/** Calls a resource through the paying proxy (spec section 4.3). The body is streamed to standard output. */
export async function fetchResource({ baseUrl, values, positionals, output }: CommandContext): Promise<void> {
  const url = parseUrl(positionals[0]);
  const { method, "max-value": maxValue, "idempotency-key": key } = values as Record<string, string | undefined>;
  const body = await parseJson(values["data"] as string | undefined, "--data");
  const timeoutSeconds = parseWholeNumber(values["timeout"], "--timeout", 1, MAX_TIMEOUT_SECONDS);
  parseWholeNumber(maxValue, "--max-value", 0, Number.MAX_SAFE_INTEGER);
  const accessToken = await getAccessToken(baseUrl);
  const progress = output.progress(`Calling ${url}`);
  let response: Response;
  try {
    response = await callRoute(baseUrl, accessToken, {
      method: "POST",
      path: "/api/x402/fetch",
      query: {
        url,
        method: method?.toUpperCase() ?? (body === undefined ? undefined : "POST"),
        maxValue,
        timeout: timeoutSeconds === undefined ? undefined : String(timeoutSeconds * 1_000),
      },
      ...(body === undefined ? {} : { body }),
      headers: { "idempotency-key": key ?? randomUUID() },
    });
  } finally {
    progress.done();
  }
  const payment = readPayment(response);
  try {
    if (output.isJson || !response.ok) await printComplete(response, payment, output);
    else for await (const part of response.body ?? []) await output.write(part as Uint8Array);
  } catch (error) {
    if (toConnectionError(error, baseUrl))
      throw new CliError(
        `The connection closed before the end of the response.${formatPayment(payment)}`,
        EXIT.failed,
        "broken_off",
      );
    throw error;
  }
  output.note(`\n${payment ? formatPayment(payment).trim() : "Nothing was paid."}`);
}

interface Payment {
  readonly id: string;
  readonly amountPaidUsd: string | null;
}

function readPayment({ headers }: Response): Payment | null {
  const id = headers.get("x-satchel-payment-id");
  return id === null ? null : { id, amountPaidUsd: headers.get("x-satchel-amount-paid") };
}

/** Prints a response that is read completely first: for `--json`, or because it is a failure. */
async function printComplete(response: Response, payment: Payment | null, output: Output): Promise<void> {
  const text = await response.text();
  const failure = response.ok ? null : parseFailure(response, text);
  if (failure) {
    const sent = payment ? ` Payment ${payment.id} was sent.` : "";
    throw new CliError(failure.message + sent, failure.exitCode, failure.code);
  }
  const contentType = response.headers.get("content-type");
  const { status } = response;
  if (output.isJson) output.result({ status, contentType, body: parseBody(text, contentType), payment }, () => []);
  else await output.write(Buffer.from(text));
  if (!response.ok)
    throw new CliError(`The target responded with ${status}.${formatPayment(payment)}`, EXIT.failed, "target_failed");
}

function formatPayment(payment: Payment | null): string {
  return payment ? ` Paid ${payment.amountPaidUsd ?? "an amount not known yet"} USD, payment ${payment.id}.` : "";
}

function parseBody(text: string, contentType: string | null): unknown {
  if (!contentType?.includes("json")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
