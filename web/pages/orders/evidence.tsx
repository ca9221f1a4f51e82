import { useState } from "react";
import { useClient } from "urql";
import { Button } from "../../components/button.tsx";
import { Hash } from "../../components/hash.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { type OrderDetailsFragment, OrderEvidenceDocument } from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { Artifacts } from "./artifacts.tsx";
import { type Mandate, readMandates } from "./read-bundle.ts";

const KEYS_PATH = "/.well-known/mandate-keys.json";
const ROLES: Readonly<Record<string, string>> = {
  intent: "What you allowed",
  cart: "The cart that was checked",
  payment: "The payment that was asked for",
  receipt: "How it ended",
};

/** What shows how an order went: pictures, recordings, what was signed, all of it in one file. */
export function Evidence({ order }: { readonly order: OrderDetailsFragment }) {
  const { orderId, evidence, artifacts } = order;
  const { bundle, failure, isLoading, load } = useBundle(orderId);
  if (!evidence.available && artifacts.length === 0) return null;
  return (
    <Section
      title="Evidence"
      hint="What was asked, what you approved, how it was placed and what the shop answered, if ever there is a dispute. Card numbers are never in it."
    >
      {evidence.available && (
        <>
          <div className="flex flex-wrap gap-3">
            <Button isBusy={isLoading} onClick={() => void load().then((loaded) => loaded && save(orderId, loaded))}>
              Download the bundle
            </Button>
            {!bundle && (
              <Button look="quiet" isBusy={isLoading} onClick={() => void load()}>
                Show what was signed
              </Button>
            )}
          </div>
          <p className="mt-2 text-small text-muted">It has the whole delivery address: hand it on with care.</p>
          <FailureNotice failure={failure} />
          {bundle && <Signed mandates={readMandates(bundle)} sha256={evidence.sha256} />}
        </>
      )}
      <Artifacts orderId={orderId} artifacts={artifacts} />
    </Section>
  );
}

function Signed({ mandates, sha256 }: { readonly mandates: readonly Mandate[]; readonly sha256: string | null }) {
  return (
    <div role="status" className="mt-4">
      {mandates.length === 0 ? (
        <p className="text-muted">No mandate was signed for it.</p>
      ) : (
        <Facts>
          {mandates.map(({ role, type, sha256: digest, status }) => (
            <Fact key={`${role} ${type}`} name={ROLES[role] ?? role}>
              <span className="flex flex-wrap items-baseline gap-x-3">
                <code className="font-mono text-small text-muted">{type ?? status}</code>
                {digest !== null && <Hash value={digest} what={`the digest of ${type}`} />}
              </span>
            </Fact>
          ))}
          {sha256 !== null && (
            <Fact name="The whole bundle">
              <Hash value={sha256} what="the bundle’s digest" />
            </Fact>
          )}
        </Facts>
      )}
      <p className="mt-2 max-w-[72ch] text-small text-muted">
        To verify: each mandate is an SD-JWT signed with ES256 by a key of{" "}
        <a href={KEYS_PATH} className="text-leather underline underline-offset-3">
          {KEYS_PATH}
        </a>
        . The bundle’s digest is the SHA-256 of its canonical JSON (RFC 8785) without <code>bundle_sha256</code> and{" "}
        <code>signature</code>.
      </p>
    </div>
  );
}

function useBundle(orderId: string) {
  const client = useClient();
  const [bundle, setBundle] = useState<unknown>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  async function load(): Promise<unknown> {
    if (bundle) return bundle;
    setIsLoading(true);
    const { data, error } = await client
      .query(OrderEvidenceDocument, { orderId }, { requestPolicy: "network-only" })
      .toPromise();
    setIsLoading(false);
    const loaded = data?.viewer?.order?.evidenceBundle ?? null;
    setBundle(loaded);
    setFailure(loaded ? null : transportFailure(error));
    return loaded;
  }
  return { bundle, failure, isLoading, load };
}

function save(orderId: string, bundle: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(bundle, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${orderId}-evidence.json`;
  link.click();
  // The browser has taken it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url));
}
