import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Badge } from "../../components/badge.tsx";
import { Hash } from "../../components/hash.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Network } from "../../components/network.tsx";
import { Time } from "../../components/time.tsx";
import type { AgentCardFragment, AgentStatus } from "../../generated/graphql.ts";

const STATUSES = {
  PENDING: { tone: "caution", text: "Registering" },
  ACTIVE: { tone: "good", text: "Active" },
  REVOKED: { tone: "bad", text: "Revoked" },
} as const satisfies Record<AgentStatus, object>;

/** Identity of the agent: agent id, wallet and links to both on chain. */
export function IdentityCard({ agent }: { readonly agent: AgentCardFragment }) {
  const { agentId, status, network, chainId, registry, walletAddress, isWalletLinked, txHash, explorerUrl } = agent;
  const { tone, text } = STATUSES[status];
  return (
    <section aria-label="Identity" className="mt-6 max-w-2xl rounded-lg border border-line p-4 sm:p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <p className="figures text-display font-semibold">{agentId == null ? "No agent ID yet" : `Agent ${agentId}`}</p>
        <Badge tone={tone}>{text}</Badge>
      </div>
      {agent.failureReason && status === "PENDING" && (
        <p className="mt-1 text-small text-muted">Registration delayed: {agent.failureReason} Retrying…</p>
      )}
      {agent.revokedReason && <p className="mt-1 text-small text-muted">Reason: {agent.revokedReason}</p>}
      <div className="mt-3">
        <Facts>
          <Fact name="Network">
            <Network name={network} />
          </Fact>
          <Fact name="Wallet">
            <Hash value={walletAddress} what="the wallet address" />
            {agentId != null && !isWalletLinked && (
              <span className="block text-small text-muted">Not linked in the registry yet.</span>
            )}
          </Fact>
          <Fact name="Registry">
            <Hash value={`eip155:${chainId}:${registry}`} what="the registry" />
          </Fact>
          {txHash && (
            <Fact name="Registration transaction">
              <Hash value={txHash} what="the transaction hash" explorerUrl={explorerUrl ?? null} />
            </Fact>
          )}
          {agent.registeredAt && (
            <Fact name="Registered">
              <Time at={String(agent.registeredAt)} />
            </Fact>
          )}
          <Fact name="Email">
            <Link href={PATHS.mail} className="break-all text-leather underline underline-offset-3">
              {agent.email ?? "Open mailbox"}
            </Link>
          </Fact>
          <Fact name="Registration file">
            <a
              href={String(agent.registrationUrl)}
              target="_blank"
              rel="noreferrer"
              className="text-leather underline underline-offset-3"
            >
              View registration file
            </a>
          </Fact>
        </Facts>
      </div>
    </section>
  );
}
