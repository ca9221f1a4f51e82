import { Badge } from "../../components/badge.tsx";
import type {
  MailAuthenticationResult,
  MailDmarcPolicy,
  MailMessageViewFragment,
  MailVerdict,
} from "../../generated/graphql.ts";

const VERDICTS = {
  AUTHENTIC: { tone: "good", text: "Sender verified" },
  UNPROVEN: { tone: "caution", text: "Sender not verified" },
  SUSPICIOUS: { tone: "bad", text: "Sender probably forged" },
} as const satisfies Record<MailVerdict, object>;

export function VerdictBadge({ verdict }: { readonly verdict: MailVerdict }) {
  const { tone, text } = VERDICTS[verdict];
  return <Badge tone={tone}>{text}</Badge>;
}

/** Sender verification of a message, with its SPF, DKIM and DMARC results. */
export function SenderCheck({
  from,
  authentication,
}: {
  readonly from: string;
  readonly authentication: NonNullable<MailMessageViewFragment["authentication"]>;
}) {
  const { verdict, spf, dkim, dmarc, spfDomain, dkimDomains, dmarcPolicy } = authentication;
  const domain = from.slice(from.lastIndexOf("@") + 1);
  return (
    <details className="text-small">
      <summary className="cursor-pointer">
        <VerdictBadge verdict={verdict} />
      </summary>
      <div className="mt-2 max-w-[72ch] rounded-md border border-line p-3">
        <p>{verdictText(verdict, domain)}</p>
        <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-muted">SPF: {spf?.toLowerCase() ?? "not checked"}</dt>
          <dd>{spfText(spf, spfDomain)}</dd>
          <dt className="text-muted">DKIM: {dkim?.toLowerCase() ?? "not checked"}</dt>
          <dd>{dkimText(dkim, dkimDomains)}</dd>
          <dt className="text-muted">DMARC: {dmarc?.toLowerCase() ?? "not checked"}</dt>
          <dd>{dmarcText(dmarc, domain, dmarcPolicy)}</dd>
        </dl>
      </div>
    </details>
  );
}

function verdictText(verdict: MailVerdict, domain: string): string {
  if (verdict === "AUTHENTIC") return `${domain} confirms that it sent this message.`;
  if (verdict === "SUSPICIOUS") return `${domain} does not confirm this message. Do not act on it.`;
  return `This message has no proof that ${domain} sent it. The sender address may be forged.`;
}

function spfText(result: MailAuthenticationResult | null | undefined, domain: string | null | undefined): string {
  const of = domain ?? "the sender's domain";
  if (result === "PASS") return `The sending server is allowed to send for ${of}.`;
  if (result === "FAIL" || result === "SOFTFAIL") return `The sending server is not allowed to send for ${of}.`;
  if (result === "NONE" || result === "NEUTRAL") return `${of} does not publish its allowed servers.`;
  return "The allowed servers could not be determined.";
}

function dkimText(result: MailAuthenticationResult | null | undefined, domains: readonly string[]): string {
  if (result === "PASS") return `Signed by ${domains.join(", ") || "a domain"} and unchanged.`;
  if (result === "NONE" || result == null) return "Not signed.";
  return "The signature is invalid. The message was changed in transit or signed by another party.";
}

function dmarcText(
  result: MailAuthenticationResult | null | undefined,
  domain: string,
  policy: MailDmarcPolicy | null | undefined,
): string {
  const treatment = policy === "REJECT" ? "rejected" : policy === "QUARANTINE" ? "quarantined" : "delivered";
  if (result === "PASS") return `The sender address matches one of them, as ${domain} requires.`;
  if (result === "FAIL")
    return `The sender address matches neither. The policy of ${domain} is that such messages are ${treatment}.`;
  return `${domain} has no DMARC policy.`;
}
