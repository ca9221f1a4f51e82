import { randomUUID } from "node:crypto";
import { getAccessToken } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { CliError, UsageError } from "../errors.ts";
import { callJson, toConnectionError } from "../http.ts";
import { formatPairs } from "../output.ts";
import { parseJson, parseUrl, parseWholeNumber } from "../values.ts";
import { USER_AGENT } from "../version.ts";

const TIMEOUT_MS = 30_000;

/** Response of `POST /api/sign-payment` (spec section 2.11). */
interface SignedPayment {
  readonly paymentHeader: string;
  readonly amountPaid: number;
  readonly network: string;
  readonly scheme: string;
  readonly paidFromCredit: boolean;
  readonly headerName?: string;
  readonly paymentId?: string;
}

/** Signs a payment and prints the header that the caller attaches to its own request (spec section 4.3). */
export async function sign({ baseUrl, values, positionals, output }: CommandContext): Promise<void> {
  const url = parseUrl(positionals[0]);
  const {
    method: requestedMethod,
    requirements,
    "max-value": maxValue,
    "idempotency-key": key,
  } = values as Record<string, string | undefined>;
  const method = requestedMethod?.toUpperCase() ?? "GET";
  parseWholeNumber(maxValue, "--max-value", 0, Number.MAX_SAFE_INTEGER);
  const providedRequirements = await parseJson(requirements, "--requirements");
  if (
    providedRequirements !== undefined &&
    (typeof providedRequirements !== "object" || providedRequirements === null)
  ) {
    throw new UsageError("--requirements must be a JSON object: the body of a 402 response.");
  }
  const accessToken = await getAccessToken(baseUrl);
  const paymentRequirements = providedRequirements ?? (await fetchRequirements(url, method));
  const signed = await callJson<SignedPayment>(baseUrl, accessToken, {
    method: "POST",
    path: "/api/sign-payment",
    body: { paymentRequirements, requestData: { url, method }, ...(maxValue === undefined ? {} : { maxValue }) },
    headers: { "idempotency-key": key ?? randomUUID() },
  });
  output.result(signed, () => [`${signed.headerName ?? "X-PAYMENT"}: ${signed.paymentHeader}`]);
  if (output.isJson) return;
  const isCeiling = signed.scheme === "upto";
  output.note(
    formatPairs([
      ["Amount", `${isCeiling ? "up to " : ""}${signed.amountPaid} USD`],
      ["Paid from", signed.paidFromCredit ? "free credit" : "wallet"],
      ["Network", signed.network],
      ["Payment", signed.paymentId ?? null],
    ]).join("\n"),
  );
}

/** Requests the payment requirements from the resource: the body of its 402, or a header in X402 version 2. */
async function fetchRequirements(url: string, method: string): Promise<unknown> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch(url, { method, redirect: "manual", signal, headers: { "user-agent": USER_AGENT } });
  } catch (error) {
    throw toConnectionError(error, new URL(url).origin) ?? error;
  }
  if (response.status !== 402) {
    throw new CliError(
      `${url} responded with ${response.status}, not 402: no payment is required. Nothing was signed.`,
    );
  }
  const header = response.headers.get("payment-required");
  try {
    return JSON.parse(header === null ? await response.text() : Buffer.from(header, "base64").toString("utf8"));
  } catch {
    throw new CliError(`${url} responded with 402 without payment requirements. Nothing was signed.`);
  }
}
