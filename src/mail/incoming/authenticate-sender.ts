/** Who a message is really from, as far as the DNS of its sender tells: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489). */
import { createReadStream } from "node:fs";
import { type AuthenticateOptions, authenticate, type DKIMResult, type DMARCResult } from "mailauth";
import { cleanLine } from "./clean-text.ts";
import type { ResolveDns } from "./dns-resolver.ts";
import { type Authentication, type CheckResult, type Envelope, unchecked } from "./incoming-message.ts";
import type { MessageHead } from "./message-head.ts";

/** Each may ask for a hash of its own over the whole message. */
const MAX_SIGNATURES = 20;
const RESULTS: readonly string[] = ["none", "pass", "fail", "softfail", "neutral", "temperror", "permerror"];
const MAX_DOMAIN_LENGTH = 255;
const KEPT_DOMAINS = 10;

export interface SenderCheck {
  readonly authentication: Authentication;
  /** Whom DMARC vouches for, when it does. */
  readonly author: string;
}

export async function authenticateSender(
  { path, envelope, head, hostname }: { path: string; envelope: Envelope; head: MessageHead; hostname: string },
  resolver: ResolveDns,
): Promise<SenderCheck> {
  if (!head.isWhole || head.count("dkim-signature") > MAX_SIGNATURES)
    return { authentication: unchecked("permerror"), author: "" };
  const options: AuthenticateOptions = {
    sender: envelope.from,
    mta: hostname,
    resolver,
    disableArc: true,
    // It would fetch pictures from wherever the sender says.
    disableBimi: true,
    ...(envelope.remoteAddress === null ? {} : { ip: envelope.remoteAddress }),
    ...(envelope.helo === null ? {} : { helo: envelope.helo }),
  };
  const { dkim, spf, dmarc } = await authenticate(createReadStream(path), options);
  const passed = dkim.results.filter(isWholePass);
  const authentication: Authentication = {
    spfResult: spf && envelope.remoteAddress !== null ? known(spf.status.result) : "none",
    dkimResult: passed.length > 0 ? "pass" : (dkim.results.map(resultOf).find((result) => result !== "none") ?? "none"),
    dmarcResult: dmarcOf(dmarc),
    domains: {
      spf: spf ? domain(spf.domain) : "",
      dkim: [...new Set(passed.map(({ signingDomain }) => domain(signingDomain)))].slice(0, KEPT_DOMAINS),
      dmarc: dmarc ? domain(dmarc.domain) : "",
      policy: dmarc ? cleanLine(dmarc.policy ?? "", 20).toLowerCase() : "",
    },
  };
  return { authentication, author: dkim.headerFrom[0] ?? "" };
}

/** A signature over a part of the body (`l=`) vouches for nothing: anybody may add the rest. */
function isWholePass({ status }: DKIMResult): boolean {
  return status.result === "pass" && !status.underSized;
}

function resultOf(signature: DKIMResult): CheckResult {
  if (signature.status.result === "pass") return isWholePass(signature) ? "pass" : "neutral";
  return known(signature.status.result);
}

function dmarcOf(dmarc: DMARCResult | false): CheckResult {
  // Several authors, or none: which of them would be vouched for?
  if (!dmarc) return "permerror";
  const result = known(dmarc.status.result);
  if (result !== "pass") return result;
  const { spf, dkim } = dmarc.alignment;
  return dkim.underSized && !spf.result ? "fail" : "pass";
}

function known(result: string): CheckResult {
  if (result === "temperr") return "temperror";
  // `policy` (a key too short) and the like: a signature that does not count.
  return RESULTS.includes(result) ? (result as CheckResult) : "neutral";
}

function domain(name: string | undefined): string {
  return cleanLine(name ?? "", MAX_DOMAIN_LENGTH).toLowerCase();
}
