import type { ReactNode } from "react";

/** Heading of a page; also sets the document title. */
export function PageTitle({ children, aside }: { readonly children: string; readonly aside?: ReactNode }) {
  return (
    // Pages show errors directly below.
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 [&+[role=alert]:not(:empty)]:mt-4">
      <title>{`${children} · Satchel`}</title>
      <h1 className="font-serif text-display font-semibold">{children}</h1>
      {aside && <div className="max-sm:mb-1.5">{aside}</div>}
    </div>
  );
}
