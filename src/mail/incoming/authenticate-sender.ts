/** Sender authentication: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617). */
import { createReadStream } from "node:fs";
import { type ARCResult, type AuthenticateOptions, authenticate, type DKIMResult, type DMARCResult } from "mailauth";
import { toAsciiAddress } from "../ascii-address.ts";
import { cleanLine } from "./clean-text.ts";
import type { ResolveDns } from "./dns-resolver.ts";
import { type Authentication, type CheckResult, type Envelope, uniformAuthentication } from "./incoming-message.ts";
import type { MessageHead } from "./message-head.ts";

/** Each signature can require its own hash over the whole message. */
const MAX_SIGNATURES = 20;
/** Each forwarding server adds a seal, which needs a signature check. A longer chain is not checked. */
const MAX_SEALS = 10;
const RESULTS: readonly string[] = ["none", "pass", "fail", "softfail", "neutral", "temperror", "permerror"];
const MAX_DOMAIN_LENGTH = 255;
const MAX_DOMAINS = 10;

export interface SenderCheck {
  readonly authentication: Authentication;
  /** The address in From that the DMARC result applies to; empty when unknown. */
  readonly author: string;
}

/** Checks SPF, DKIM, DMARC and ARC. All results are `permerror` if the header is incomplete or has more than 20 signatures. */
export async function authenticateSender(
  { path, envelope, head, hostname }: { path: string; envelope: Envelope; head: MessageHead; hostname: string },
  resolver: ResolveDns,
): Promise<SenderCheck> {
  if (!head.isWhole || head.count("dkim-signature") > MAX_SIGNATURES)
    return { authentication: uniformAuthentication("permerror"), author: "" };
  const hasTooManySeals = head.count("arc-seal") > MAX_SEALS;
  const options: AuthenticateOptions = {
    // SPF is defined for ASCII domains.
    sender: toAsciiAddress(envelope.from),
    mta: hostname,
    resolver,
    disableArc: hasTooManySeals,
    // BIMI would fetch images from URLs that the sender controls.
    disableBimi: true,
    ...(envelope.remoteAddress === null ? {} : { ip: envelope.remoteAddress }),
    ...(envelope.helo === null ? {} : { helo: envelope.helo }),
  };
  const { dkim, spf, dmarc, arc } = await authenticate(head.message ?? createReadStream(path), options);
  const passed = dkim.results.filter(isFullBodyPass);
  const authentication: Authentication = {
    spfResult: spf && envelope.remoteAddress !== null ? toCheckResult(spf.status.result) : "none",
    dkimResult:
      passed.length > 0 ? "pass" : (dkim.results.map(toDkimResult).find((result) => result !== "none") ?? "none"),
    dmarcResult: toDmarcResult(dmarc),
    domains: {
      spf: spf ? cleanDomain(spf.domain) : "",
      dkim: [...new Set(passed.map(({ signingDomain }) => cleanDomain(signingDomain)))].slice(0, MAX_DOMAINS),
      dmarc: dmarc ? cleanDomain(dmarc.domain) : "",
      policy: dmarc ? cleanLine(dmarc.policy ?? "", 20).toLowerCase() : "",
      ...(hasTooManySeals ? { arc: "permerror", arcSealer: "" } : toArc(arc)),
    },
  };
  const hasSeveralAuthors = head.count("from") > 1;
  // Readers differ in which of several From fields they show, so none of them is the author.
  return { authentication, author: hasSeveralAuthors ? "" : (dkim.headerFrom[0] ?? "") };
}

/** A signature over only part of the body (`l=`) does not count: anyone can append to the body. */
function isFullBodyPass({ status }: DKIMResult): boolean {
  return status.result === "pass" && !status.underSized;
}

function toDkimResult(signature: DKIMResult): CheckResult {
  if (signature.status.result === "pass") return isFullBodyPass(signature) ? "pass" : "neutral";
  return toCheckResult(signature.status.result);
}

function toDmarcResult(dmarc: DMARCResult | false): CheckResult {
  // DMARC needs exactly one author in From.
  if (!dmarc) return "permerror";
  const result = toCheckResult(dmarc.status.result);
  if (result !== "pass") return result;
  const { spf, dkim } = dmarc.alignment;
  return dkim.underSized && !spf.result ? "fail" : "pass";
}

/** Anyone can seal a message: a pass counts only for those who trust the sealer, so it does not change the verdict. */
function toArc(arc: ARCResult | false): Pick<Authentication["domains"], "arc" | "arcSealer"> {
  if (!arc) return { arc: "none", arcSealer: "" };
  const sealer = arc.status.result === "pass" && arc.signature ? arc.signature.signingDomain : undefined;
  return { arc: toCheckResult(arc.status.result), arcSealer: cleanDomain(sealer) };
}

function toCheckResult(result: string): CheckResult {
  if (result === "temperr") return "temperror";
  // `policy` (the key is too short) and similar results: the signature does not count.
  return RESULTS.includes(result) ? (result as CheckResult) : "neutral";
}

function cleanDomain(name: string | undefined): string {
  return cleanLine(name ?? "", MAX_DOMAIN_LENGTH).toLowerCase();
}
