import { randomUUID } from "node:crypto";
import { currentCredentials } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { CliError, UsageError } from "../errors.ts";
import { callJson, unreachable } from "../http.ts";
import { pairs } from "../output.ts";
import { jsonValue, webAddress } from "../values.ts";
import { USER_AGENT } from "../version.ts";

const TIMEOUT_MS = 30_000;

/** Spec section 2.11. */
interface SignedPayment {
  readonly paymentHeader: string;
  readonly amountPaid: number;
  readonly network: string;
  readonly scheme: string;
  readonly paidFromCredit: boolean;
  readonly headerName?: string;
  readonly paymentId?: string;
}

/** Signs a payment and prints the header to attach, for a request that the caller makes (spec section 4.3). */
export async function sign({ baseUrl, values, positionals, output }: CommandContext): Promise<void> {
  const url = webAddress(positionals[0]);
  const { method: asked, requirements, "idempotency-key": key } = values as Record<string, string | undefined>;
  const method = asked?.toUpperCase() ?? "GET";
  const given = await jsonValue(requirements, "--requirements");
  if (given !== undefined && (typeof given !== "object" || given === null)) {
    throw new UsageError("--requirements must be a JSON object: the body of a 402 answer.");
  }
  const { accessToken } = await currentCredentials(baseUrl);
  const paymentRequirements = given ?? (await requirementsOf(url, method));
  const signed = await callJson<SignedPayment>(baseUrl, accessToken, {
    method: "POST",
    path: "/api/sign-payment",
    body: { paymentRequirements, requestData: { url, method } },
    headers: { "idempotency-key": key ?? randomUUID() },
  });
  output.answer(signed, () => [`${signed.headerName ?? "X-PAYMENT"}: ${signed.paymentHeader}`]);
  if (output.isJson) return;
  const isCeiling = signed.scheme === "upto";
  output.note(
    pairs([
      ["Signed for", `${isCeiling ? "at most " : ""}${signed.amountPaid} USD`],
      ["From", signed.paidFromCredit ? "free credit" : "your wallet"],
      ["Network", signed.network],
      ["Payment", signed.paymentId ?? null],
    ]).join("\n"),
  );
}

/** What the resource asks for: the body of its 402, or with X402 version 2 a header. */
async function requirementsOf(url: string, method: string): Promise<unknown> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch(url, { method, redirect: "manual", signal, headers: { "user-agent": USER_AGENT } });
  } catch (error) {
    throw unreachable(error, new URL(url).origin) ?? error;
  }
  if (response.status !== 402) {
    throw new CliError(`${url} answered ${response.status}, not 402: there is nothing to pay. Nothing was signed.`);
  }
  const header = response.headers.get("payment-required");
  try {
    return JSON.parse(header === null ? await response.text() : Buffer.from(header, "base64").toString("utf8"));
  } catch {
    throw new CliError(`${url} answered 402 without saying what it costs. Nothing was signed.`);
  }
}
