import { Badge } from "../../components/badge.tsx";
import type { MailMessageViewFragment, MailVerdict } from "../../generated/graphql.ts";

const VERDICTS = {
  authentic: { tone: "good", text: "Sender confirmed" },
  unproven: { tone: "caution", text: "Sender not confirmed" },
  suspicious: { tone: "bad", text: "Sender forged, it seems" },
} as const satisfies Record<MailVerdict, object>;

export function VerdictBadge({ verdict }: { readonly verdict: MailVerdict }) {
  const { tone, text } = VERDICTS[verdict];
  return <Badge tone={tone}>{text}</Badge>;
}

/** Whether a letter is from whom it says, and what that was told by, in words. */
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
        <p>{meaning(verdict, domain)}</p>
        <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-muted">SPF: {spf ?? "not checked"}</dt>
          <dd>{spfWords(spf, spfDomain)}</dd>
          <dt className="text-muted">DKIM: {dkim ?? "not checked"}</dt>
          <dd>{dkimWords(dkim, dkimDomains)}</dd>
          <dt className="text-muted">DMARC: {dmarc ?? "not checked"}</dt>
          <dd>{dmarcWords(dmarc, domain, dmarcPolicy)}</dd>
        </dl>
      </div>
    </details>
  );
}

function meaning(verdict: MailVerdict, domain: string): string {
  if (verdict === "authentic") return `${domain} vouches for this letter.`;
  if (verdict === "suspicious") return `${domain} disowns this letter. Do not act on it.`;
  return `Nothing proves that this letter is from ${domain}. Anybody may have written that name.`;
}

function spfWords(result: string | null | undefined, domain: string | null | undefined): string {
  const of = domain ?? "the sender's domain";
  if (result === "pass") return `It came from a server that may send for ${of}.`;
  if (result === "fail" || result === "softfail") return `It came from a server that may not send for ${of}.`;
  if (result === "none" || result === "neutral") return `${of} does not say which servers may send for it.`;
  return "Which servers may send for it could not be told.";
}

function dkimWords(result: string | null | undefined, domains: readonly string[]): string {
  if (result === "pass") return `It is signed by ${domains.join(", ") || "a domain"}, and unchanged since.`;
  if (result === "none" || result == null) return "It is not signed.";
  return "It has a signature that does not hold: it was changed on its way, or not signed by whom it says.";
}

function dmarcWords(result: string | null | undefined, domain: string, policy: string | null | undefined): string {
  const asks = policy === "reject" ? "refused" : policy === "quarantine" ? "set aside" : "let through all the same";
  if (result === "pass") return `Its sender agrees with one of them, as ${domain} demands.`;
  if (result === "fail") return `Its sender agrees with neither. ${domain} asks that such letters be ${asks}.`;
  return `${domain} demands nothing of its letters.`;
}
