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
  intent: "Intent mandate",
  cart: "Cart mandate",
  payment: "Payment mandate",
  receipt: "Receipt",
};

/** Evidence of an order: screenshots, recordings, signed mandates and the bundle with all of them. */
export function Evidence({ order }: { readonly order: OrderDetailsFragment }) {
  const { orderId, evidence, artifacts } = order;
  const { bundle, failure, isLoading, load } = useBundle(orderId);
  if (!evidence.available && artifacts.length === 0) return null;
  return (
    <Section
      title="Evidence"
      hint="Records the request, your approval and the checkout for disputes. It never contains card numbers."
    >
      {evidence.available && (
        <>
          <div className="flex flex-wrap gap-3">
            <Button isBusy={isLoading} onClick={() => void load().then((loaded) => loaded && save(orderId, loaded))}>
              Download bundle
            </Button>
            {!bundle && (
              <Button look="quiet" isBusy={isLoading} onClick={() => void load()}>
                Show mandates
              </Button>
            )}
          </div>
          <p className="mt-2 text-small text-muted">
            The bundle contains the full delivery address. Share it with care.
          </p>
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
        <p className="text-muted">No mandates were signed.</p>
      ) : (
        <Facts>
          {mandates.map(({ role, type, sha256: digest, status }) => (
            <Fact key={`${role} ${type}`} name={ROLES[role] ?? role}>
              <span className="flex flex-wrap items-baseline gap-x-3">
                <code className="font-mono text-small text-muted">{type ?? status}</code>
                {digest !== null && <Hash value={digest} what={`digest of ${type}`} />}
              </span>
            </Fact>
          ))}
          {sha256 !== null && (
            <Fact name="Bundle">
              <Hash value={sha256} what="bundle digest" />
            </Fact>
          )}
        </Facts>
      )}
      <p className="mt-2 max-w-[72ch] text-small text-muted">
        To verify: each mandate is an SD-JWT signed with ES256 by a key in{" "}
        <a href={KEYS_PATH} className="text-leather underline underline-offset-3">
          {KEYS_PATH}
        </a>
        . The bundle digest is the SHA-256 of its canonical JSON (RFC 8785) without <code>bundle_sha256</code> and{" "}
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
      .query(OrderEvidenceDocument, { id: orderId }, { requestPolicy: "network-only" })
      .toPromise();
    setIsLoading(false);
    const loaded = data?.checkoutOrder?.evidenceBundle ?? null;
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
  // The browser has started the download by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
