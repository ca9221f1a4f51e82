import { randomUUID } from "node:crypto";
import { currentCredentials } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { CliError, EXIT } from "../errors.ts";
import { call, failureIn, unreachable } from "../http.ts";
import type { Output } from "../output.ts";
import { jsonValue, webAddress, wholeNumber } from "../values.ts";

const MAX_TIMEOUT_SECONDS = 100;

/** Calls a resource through the paying proxy (spec section 4.3). The body goes to standard output as it comes. */
export async function fetchResource({ baseUrl, values, positionals, output }: CommandContext): Promise<void> {
  const url = webAddress(positionals[0]);
  const { method, "max-value": maxValue, "idempotency-key": key } = values as Record<string, string | undefined>;
  const body = await jsonValue(values["data"] as string | undefined, "--data");
  const timeoutSeconds = wholeNumber(values["timeout"], "--timeout", 1, MAX_TIMEOUT_SECONDS);
  wholeNumber(maxValue, "--max-value", 0, Number.MAX_SAFE_INTEGER);
  const { accessToken } = await currentCredentials(baseUrl);
  const progress = output.progress(`Calling ${url}`);
  let response: Response;
  try {
    response = await call(baseUrl, accessToken, {
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
  const payment = paymentOf(response);
  try {
    if (output.isJson || !response.ok) await answerWhole(response, payment, output);
    else for await (const part of response.body ?? []) await output.write(part as Uint8Array);
  } catch (error) {
    if (unreachable(error, baseUrl))
      throw new CliError(`The answer broke off.${paidText(payment)}`, EXIT.failed, "broken_off");
    throw error;
  }
  output.note(`\n${payment ? paidText(payment).trim() : "Nothing was paid."}`);
}

interface Payment {
  readonly id: string;
  readonly amountPaidUsd: string | null;
}

function paymentOf({ headers }: Response): Payment | null {
  const id = headers.get("x-satchel-payment-id");
  return id === null ? null : { id, amountPaidUsd: headers.get("x-satchel-amount-paid") };
}

/** An answer that is read to its end before it is shown: as JSON, or because it is a failure. */
async function answerWhole(response: Response, payment: Payment | null, output: Output): Promise<void> {
  const text = await response.text();
  const failure = response.ok ? null : failureIn(response, text);
  if (failure) {
    const sent = payment ? ` Payment ${payment.id} was sent.` : "";
    throw new CliError(failure.message + sent, failure.exitCode, failure.code);
  }
  const contentType = response.headers.get("content-type");
  const { status } = response;
  if (output.isJson) output.answer({ status, contentType, body: parsed(text, contentType), payment }, () => []);
  else await output.write(Buffer.from(text));
  if (!response.ok)
    throw new CliError(`The target answered ${status}.${paidText(payment)}`, EXIT.failed, "target_failed");
}

function paidText(payment: Payment | null): string {
  return payment ? ` Paid ${payment.amountPaidUsd ?? "an amount not known yet"} USD, payment ${payment.id}.` : "";
}

function parsed(text: string, contentType: string | null): unknown {
  if (!contentType?.includes("json")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
