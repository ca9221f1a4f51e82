import { useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Empty } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { Verbatim } from "../../components/verbatim.tsx";
import type { AgentCardFragment, AgentCredentialCardFragment, AgentCredentialKind } from "../../generated/graphql.ts";
import { claimWords } from "./claim-words.ts";
import { PresentDialog } from "./present-dialog.tsx";

export const KINDS: Readonly<Record<AgentCredentialKind, { readonly title: string; readonly meaning: string }>> = {
  TRUST: { title: "Trust", meaning: "Who the agent is on chain, and how it has behaved so far." },
  DELEGATION: { title: "Delegation", meaning: "That it acts for you, and what you let it do." },
};

/** What vouches for the agent: credentials that it shows to whoever asks. */
export function Credentials({ agent }: { readonly agent: AgentCardFragment }) {
  const credentials = [agent.trustCredential, agent.delegationCredential].filter((one) => one != null);
  return (
    <Section
      title="Credentials"
      hint="Signed statements (SD-JWT) that a merchant checks by itself, with what Satchel publishes. They renew themselves, and are void once the agent is revoked."
    >
      {credentials.length === 0 ? (
        <Empty>
          {agent.status === "ACTIVE" ? "They are being issued." : "They are issued while the agent is active."}
        </Empty>
      ) : (
        <ul className="grid gap-4 lg:grid-cols-2">
          {/* By kind: one that is renewed takes its place, and whoever is about to present it goes on. */}
          {credentials.map((credential) => (
            <Credential key={credential.kind} credential={credential} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Credential({ credential }: { readonly credential: AgentCredentialCardFragment }) {
  const [isPresenting, setIsPresenting] = useState(false);
  const { kind, claims, issuedAt, expiresAt, isRevoked, sdJwt, disclosableClaims } = credential;
  const { title, meaning } = KINDS[kind];
  return (
    <li className="min-w-0 rounded-lg border border-line p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-lead font-semibold">{title}</h3>
        {isRevoked ? <Badge tone="bad">Revoked</Badge> : <Badge tone="good">Valid</Badge>}
      </div>
      <p className="text-small text-muted">{meaning}</p>
      <div className="mt-3">
        <Facts>
          <Fact name="Issued">
            <Time at={String(issuedAt)} />
          </Fact>
          <Fact name="Ends">
            <Time at={String(expiresAt)} />
          </Fact>
          <Fact name="Can be shown one by one">
            <span className="break-words">{disclosableClaims.map(claimWords).join(", ") || "Nothing"}</span>
          </Fact>
        </Facts>
      </div>
      <details className="mt-3">
        <summary className="cursor-pointer text-leather">What it says</summary>
        <div className="mt-2">
          <Verbatim
            label={`Claims of the ${title.toLowerCase()} credential`}
            text={JSON.stringify(claims, null, 2)}
            isWrapped
          />
        </div>
      </details>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        {!isRevoked && (
          <Button size="small" onClick={() => setIsPresenting(true)}>
            Present it
          </Button>
        )}
        <span className="inline-flex items-center gap-1 text-small text-muted">
          The whole credential <CopyButton text={sdJwt} what={`the ${title.toLowerCase()} credential`} />
        </span>
      </div>
      {isPresenting && <PresentDialog credential={credential} onClose={() => setIsPresenting(false)} />}
    </li>
  );
}
