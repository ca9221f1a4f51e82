import { CopyButton } from "./copy-button.tsx";

/** Shortens an address or hash to its first and last characters, which users compare. */
export function shortened(text: string, edgeLength = 6): string {
  return text.length <= edgeLength * 2 + 3 ? text : `${text.slice(0, edgeLength)}…${text.slice(-edgeLength)}`;
}

/** Address or hash, shortened in the middle. The copy button copies the full value. */
export function Hash({
  value,
  what,
  explorerUrl = null,
  isWhole = false,
  mayCopy = true,
}: {
  readonly value: string;
  /** Name for the copy button, such as "the address". */
  readonly what: string;
  readonly explorerUrl?: string | null;
  readonly isWhole?: boolean;
  readonly mayCopy?: boolean;
}) {
  const text = <span title={value}>{isWhole ? value : shortened(value)}</span>;
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className={`font-mono text-small ${isWhole ? "break-all" : "whitespace-nowrap"}`}>
        {explorerUrl ? (
          <a href={explorerUrl} target="_blank" rel="noreferrer" className="text-leather underline underline-offset-3">
            {text}
          </a>
        ) : (
          text
        )}
      </span>
      {mayCopy && <CopyButton text={value} what={what} />}
    </span>
  );
}
