import { CopyButton } from "./copy-button.tsx";
import { Notice } from "./notice.tsx";

/** Secret that is displayed only once. */
export function OneTimeSecret({
  secret,
  what,
  storedForm = "a fingerprint",
}: {
  readonly secret: string;
  readonly what: string;
  /** The form in which the service stores the secret. */
  readonly storedForm?: string;
}) {
  return (
    <Notice tone="caution" title="Shown only once">
      <p className="text-small">
        Store it where only your program can read it. Satchel stores {storedForm} and does not show the secret again.
      </p>
      <div className="mt-3 flex items-center gap-3 rounded-md border border-line bg-paper px-3 py-2">
        <code className="min-w-0 flex-1 font-mono text-small break-all select-all">{secret}</code>
        <CopyButton text={secret} what={what} look="button" />
      </div>
    </Notice>
  );
}
