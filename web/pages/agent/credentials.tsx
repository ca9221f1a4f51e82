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
import { claimLabel } from "./claim-labels.ts";
import { PresentDialog } from "./present-dialog.tsx";

export const KINDS: Readonly<Record<AgentCredentialKind, { readonly title: string; readonly description: string }>> = {
  TRUST: { title: "Trust", description: "On-chain identity and trust score of the agent." },
  DELEGATION: { title: "Delegation", description: "Proof that the agent acts for you, with its limits." },
};

/** Credentials that the agent presents to merchants. */
export function Credentials({ agent }: { readonly agent: AgentCardFragment }) {
  const credentials = [agent.trustCredential, agent.delegationCredential].filter((credential) => credential != null);
  return (
    <Section
      title="Credentials"
      hint="Signed credentials (SD-JWT) that merchants verify with the published keys of Satchel. They are renewed automatically and become invalid when the agent is revoked."
    >
      {credentials.length === 0 ? (
        <Empty>
          {agent.status === "ACTIVE"
            ? "Credentials are being issued."
            : "Credentials are issued while the agent is active."}
        </Empty>
      ) : (
        <ul className="grid gap-4 lg:grid-cols-2">
          {/* Keyed by kind: a renewed credential replaces its predecessor without closing an open presentation dialog. */}
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
  const { title, description } = KINDS[kind];
  return (
    <li className="min-w-0 rounded-lg border border-line p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-lead font-semibold">{title}</h3>
        {isRevoked ? <Badge tone="bad">Revoked</Badge> : <Badge tone="good">Valid</Badge>}
      </div>
      <p className="text-small text-muted">{description}</p>
      <div className="mt-3">
        <Facts>
          <Fact name="Issued">
            <Time at={String(issuedAt)} />
          </Fact>
          <Fact name="Expires">
            <Time at={String(expiresAt)} />
          </Fact>
          <Fact name="Selectively disclosable claims">
            <span className="break-words">{disclosableClaims.map(claimLabel).join(", ") || "None"}</span>
          </Fact>
        </Facts>
      </div>
      <details className="mt-3">
        <summary className="cursor-pointer text-leather">Claims</summary>
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
            Present
          </Button>
        )}
        <span className="inline-flex items-center gap-1 text-small text-muted">
          Full credential <CopyButton text={sdJwt} what={`the ${title.toLowerCase()} credential`} />
        </span>
      </div>
      {isPresenting && <PresentDialog credential={credential} onClose={() => setIsPresenting(false)} />}
    </li>
  );
}
