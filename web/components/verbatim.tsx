/** Text exactly as it is: a program, or what a stranger sent. It may scroll, so the keyboard reaches it. */
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-md border border-line p-3"
    >
      <pre className={`font-mono text-small ${isWrapped ? "break-all whitespace-pre-wrap" : ""}`}>{text}</pre>
    </section>
  );
}
