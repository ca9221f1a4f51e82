import { type ReactNode, useId } from "react";

/** A titled part of a page. */
export function Section({
  title,
  hint,
  aside,
  children,
}: {
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly hint?: ReactNode;
  /** At the title's right: a button, a choice. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10 border-t border-line pt-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={id} className="font-serif text-title font-semibold">
          {title}
        </h2>
        {aside && <div className="max-sm:mb-1.5">{aside}</div>}
      </div>
      {hint && <p className="mt-1 max-w-[72ch] text-muted">{hint}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
