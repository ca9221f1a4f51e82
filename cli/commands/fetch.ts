import { randomUUID } from "node:crypto";
import { currentCredentials } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { CliError } from "../errors.ts";
import { call, failureIn } from "../http.ts";
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
  const paymentId = response.headers.get("x-satchel-payment-id");
  const paidUsd = response.headers.get("x-satchel-amount-paid");
  const payment = paymentId === null ? null : { id: paymentId, amountPaidUsd: paidUsd };
  if (output.isJson || !response.ok) {
    const text = await response.text();
    const failure = response.ok ? null : failureIn(response, text);
    if (failure)
      throw payment
        ? new CliError(`${failure.message} Payment ${payment.id} was sent.`, failure.exitCode, failure.code)
        : failure;
    const type = response.headers.get("content-type");
    if (output.isJson)
      output.answer({ status: response.status, contentType: type, body: parsed(text, type), payment }, () => []);
    else output.write(Buffer.from(text));
    if (!response.ok)
      throw new CliError(`The target answered ${response.status}.${paidText(payment)}`, 1, "target_failed");
    return;
  }
  for await (const part of response.body ?? []) output.write(part as Uint8Array);
  output.note(payment ? `\n${paidText(payment).trim()}` : "\nNothing was paid.");
}

function paidText(payment: { readonly id: string; readonly amountPaidUsd: string | null } | null): string {
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
