/** Preformatted text, such as code or content from an unknown sender. Focusable, because it may scroll. */
export function Verbatim({
  text,
  label,
  isWrapped = false,
}: {
  readonly text: string;
  readonly label: string;
  readonly isWrapped?: boolean;
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-md border border-line p-3"
    >
      <pre className={`font-mono text-small ${isWrapped ? "break-all whitespace-pre-wrap" : ""}`}>{text}</pre>
    </section>
  );
}
