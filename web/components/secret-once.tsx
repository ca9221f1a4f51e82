import { CopyButton } from "./copy-button.tsx";
import { Notice } from "./notice.tsx";

/** A secret that is shown this once. */
export function SecretOnce({
  secret,
  what,
  kept = "a fingerprint",
}: {
  readonly secret: string;
  readonly what: string;
  /** What the service has of it. */
  readonly kept?: string;
}) {
  return (
    <Notice tone="caution" title="Shown this once">
      <p className="text-small">
        Keep it where only your program can read it. Satchel stores {kept} and does not show it again.
      </p>
      <div className="mt-3 flex items-center gap-3 rounded-md border border-line bg-paper px-3 py-2">
        <code className="min-w-0 flex-1 font-mono text-small break-all select-all">{secret}</code>
        <CopyButton text={secret} what={what} look="button" />
      </div>
    </Notice>
  );
}
