import type { OrderDetailsFragment } from "../../generated/graphql.ts";

type Artifact = OrderDetailsFragment["artifacts"][number];

const KINDS = { SCREENSHOT: "Screenshot", HAR: "Network log (HAR)", DOM: "Page source (HTML)" };
const REDACTIONS: Readonly<Record<string, string>> = {
  bodies: "request and response bodies",
  cookies: "cookies",
  headers: "most headers",
  query_values: "query parameter values",
  card_fields: "card fields",
  card_number: "card numbers",
  security_code: "security codes",
};
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** Returns a relative URL: the session cookie is valid only on the origin of the page. */
const artifactPath = (orderId: string, { artifactId }: Artifact) =>
  `/api/autofill/orders/${orderId}/artifacts/${artifactId}`;

/** Screenshots and downloadable files of an order. */
export function Artifacts({
  orderId,
  artifacts,
}: {
  readonly orderId: string;
  readonly artifacts: readonly Artifact[];
}) {
  const existing = artifacts.filter(({ removedAt }) => removedAt === null);
  const screenshots = existing.filter(({ kind }) => kind === "SCREENSHOT");
  const files = existing.filter(({ kind }) => kind !== "SCREENSHOT");
  return (
    <>
      {existing.length < artifacts.length && (
        <p className="mt-4 text-small text-muted">
          Files were deleted at the end of their retention. The bundle still contains their digests.
        </p>
      )}
      {screenshots.length > 0 && (
        <ul aria-label="Screenshots" className="mt-4 grid grid-cols-2 gap-4 md:grid-cols-3">
          {screenshots.map((screenshot) => (
            <li key={screenshot.artifactId} id={screenshot.artifactId} className="min-w-0 scroll-mt-4">
              <a href={artifactPath(orderId, screenshot)} download className="block">
                <img
                  src={artifactPath(orderId, screenshot)}
                  alt={`Merchant page at ${clock.format(new Date(screenshot.createdAt))}`}
                  loading="lazy"
                  className="aspect-8/5 w-full rounded-md border border-line object-cover object-top"
                />
              </a>
              <Caption artifact={screenshot} />
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <ul aria-label="Files" className="mt-4 grid gap-2">
          {files.map((file) => (
            <li key={file.artifactId}>
              <a
                href={artifactPath(orderId, file)}
                download
                className="inline-flex min-h-8 items-center text-leather underline underline-offset-3"
              >
                {KINDS[file.kind]}
              </a>
              <Caption artifact={file} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Caption({ artifact: { createdAt, redactions } }: { readonly artifact: Artifact }) {
  return (
    <p className="text-small text-muted">
      <time dateTime={createdAt} className="figures">
        {clock.format(new Date(createdAt))}
      </time>
      {redactions.length > 0 && <> Redacted: {redactions.map((name) => REDACTIONS[name] ?? name).join(", ")}.</>}
    </p>
  );
}
