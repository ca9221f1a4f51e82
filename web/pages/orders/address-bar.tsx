import { Notice } from "../../components/notice.tsx";
import type { Party, Place, ShownPage } from "./live-messages.ts";

const PARTIES = {
  merchant: "Merchant",
  processor: "Card processor",
  issuer: "Bank’s 3-D Secure service",
  unknown: "Unknown",
} as const satisfies Record<Party, string>;

/** Address of the page in the live view, and who operates it. The page itself can imitate any other page. */
export function AddressBar({ page }: { readonly page: ShownPage | null }) {
  return (
    <section aria-label="Address of the page" aria-live="polite" className="mb-2 grid gap-2 empty:hidden">
      {page && <Address page={page} />}
      {page && isOfUnknownParty(page) && (
        <Notice tone="caution" title="Unknown page">
          <p>
            This page is not the merchant’s, a known card processor’s or a known bank service’s. Check the address
            before you enter anything.
          </p>
        </Notice>
      )}
      {page?.frame && isOfUnknownParty(page.frame) && (
        <Notice tone="caution" title="Unknown frame">
          <p>
            This frame is not the merchant’s, a known card processor’s or a known bank service’s. Check its address
            before you enter anything.
          </p>
        </Notice>
      )}
    </section>
  );
}

function Address({ page }: { readonly page: ShownPage }) {
  const { origin, certificateHost, frame } = page;
  if (origin === null) {
    return (
      <p className="rounded-md border border-line px-3 py-2 text-small text-muted">Empty page without an address</p>
    );
  }
  const isEncrypted = origin.startsWith("https:");
  return (
    <dl className="grid gap-x-4 gap-y-1 rounded-md border border-line px-3 py-2 text-small md:grid-cols-[auto_1fr]">
      <dt className="text-muted">Page</dt>
      <dd>
        <OriginOf place={page} />
        <span className={`block ${isEncrypted ? "text-muted" : "text-caution"}`}>
          <LockIcon isClosed={isEncrypted} /> {isEncrypted ? "Encrypted" : "Not encrypted"}
          {certificateHost !== null && (
            <>
              . Certificate: <bdi className="wrap-anywhere">{certificateHost}</bdi>
            </>
          )}
        </span>
      </dd>
      {frame && (
        <>
          <dt className="text-muted">3-D Secure frame</dt>
          <dd>
            <OriginOf place={frame} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** The origin in full: its end names the site. */
function OriginOf({ place: { origin, party } }: { readonly place: Place }) {
  return (
    <>
      <bdi className="font-medium wrap-anywhere">{origin ?? "No address"}</bdi>{" "}
      <span className={party === "unknown" ? "text-caution" : "text-muted"}>{PARTIES[party]}</span>
    </>
  );
}

function LockIcon({ isClosed }: { readonly isClosed: boolean }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className="inline size-3 align-baseline"
      fill="none"
      stroke="currentColor"
    >
      <rect x="3" y="7" width="10" height="7" rx="1.5" strokeWidth="1.5" />
      <path d={isClosed ? "M5 7V5a3 3 0 0 1 6 0v2" : "M5 7V4a3 3 0 0 1 5.6-1.5"} strokeWidth="1.5" />
    </svg>
  );
}

/** Documents without an origin receive no input and are no reason for a warning. */
const isOfUnknownParty = ({ origin, party }: Place) => origin !== null && party === "unknown";
