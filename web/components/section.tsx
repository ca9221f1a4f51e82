import { type ReactNode, useId } from "react";

/** Section of a page with a title. */
export function Section({
  title,
  hint,
  aside,
  children,
}: {
  readonly title: string;
  /** Purpose of the section, in one sentence. */
  readonly hint?: ReactNode;
  /** Element at the right of the title, such as a button. */
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
