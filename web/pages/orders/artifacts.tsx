import type { OrderDetailsFragment } from "../../generated/graphql.ts";

type Artifact = OrderDetailsFragment["artifacts"][number];

const KINDS = { screenshot: "Picture", har: "Recorded requests (HAR)", dom: "The page’s structure (HTML)" };
const TAKEN_OUT: Readonly<Record<string, string>> = {
  bodies: "what was sent and answered",
  cookies: "cookies",
  headers: "most headers",
  query_values: "values in addresses",
  card_fields: "the card’s fields",
  card_number: "card numbers",
  security_code: "security codes",
};
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** By its path: pages stand where the session's cookie counts. */
const pathOf = (orderId: string, { artifactId }: Artifact) => `/api/autofill/orders/${orderId}/artifacts/${artifactId}`;

/** Pictures to look at, and files to take away. */
export function Artifacts({
  orderId,
  artifacts,
}: {
  readonly orderId: string;
  readonly artifacts: readonly Artifact[];
}) {
  const pictures = artifacts.filter(({ kind }) => kind === "screenshot");
  const files = artifacts.filter(({ kind }) => kind !== "screenshot");
  return (
    <>
      {pictures.length > 0 && (
        <ul aria-label="Pictures" className="mt-4 grid grid-cols-2 gap-4 md:grid-cols-3">
          {pictures.map((picture) => (
            <li key={picture.artifactId} id={picture.artifactId} className="min-w-0 scroll-mt-4">
              <a href={pathOf(orderId, picture)} download className="block">
                <img
                  src={pathOf(orderId, picture)}
                  alt={`The shop’s page at ${clock.format(new Date(picture.createdAt))}`}
                  loading="lazy"
                  className="aspect-8/5 w-full rounded-md border border-line object-cover object-top"
                />
              </a>
              <Caption artifact={picture} />
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <ul aria-label="Files" className="mt-4 grid gap-2">
          {files.map((file) => (
            <li key={file.artifactId}>
              <a
                href={pathOf(orderId, file)}
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
      {redactions.length > 0 && <> Taken out: {redactions.map((name) => TAKEN_OUT[name] ?? name).join(", ")}.</>}
    </p>
  );
}
