import type { ReactNode } from "react";

/** A link to somebody else's site, which is not told where it came from. */
export function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="text-leather underline underline-offset-3 wrap-anywhere">
      {children}
    </a>
  );
}
