import type { ReactNode } from "react";

/** Link to an external site, opened in a new tab and without a referrer. */
export function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="text-leather underline underline-offset-3 wrap-anywhere">
      {children}
    </a>
  );
}
