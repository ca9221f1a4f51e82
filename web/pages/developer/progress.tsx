/** Progress through several steps. Completed steps are links. */
export function Progress({
  titles,
  step,
  onGoTo,
}: {
  readonly titles: readonly string[];
  readonly step: number;
  readonly onGoTo: (step: number) => void;
}) {
  return (
    <nav aria-label="Steps" className="mt-4">
      <p className="text-small text-muted sm:hidden">
        Step {step + 1} of {titles.length}: <strong className="text-ink">{titles[step]}</strong>
      </p>
      <ol className="mt-2 grid grid-cols-4 gap-2">
        {titles.map((title, index) => (
          <li
            key={title}
            aria-current={index === step ? "step" : undefined}
            className={`border-t-3 pt-1 text-small ${index <= step ? "border-leather" : "border-line text-muted"}`}
          >
            {index < step ? (
              <button
                type="button"
                onClick={() => onGoTo(index)}
                className="min-h-6 text-left text-leather underline underline-offset-3 max-sm:sr-only"
              >
                {title}
              </button>
            ) : (
              <span className={`max-sm:sr-only ${index === step ? "font-semibold" : ""}`}>{title}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
