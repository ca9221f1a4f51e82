import { CopyButton } from "./copy-button.tsx";

/** The first and last characters of an address or hash; its ends are what people compare. */
export function shortened(text: string, keep = 6): string {
  return text.length <= keep * 2 + 3 ? text : `${text.slice(0, keep)}…${text.slice(-keep)}`;
}

/** An address or a hash: shortened in the middle, copied whole, linked to an explorer. */
export function Hash({
  value,
  what,
  explorerUrl = null,
  isWhole = false,
  mayCopy = true,
}: {
  readonly value: string;
  /** "the address" */
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
