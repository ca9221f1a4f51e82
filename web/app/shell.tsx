import type { ReactNode } from "react";
import { Mark } from "../components/mark.tsx";
import { useHasStaleData } from "../graphql/stale-if-error.ts";
import { DashboardHeader } from "./dashboard-header.tsx";
import { FreezeBanner } from "./freeze-banner.tsx";
import { Main } from "./page-main.tsx";
import type { Frame } from "./routes.ts";

const DEVELOPER_LINKS = [
  { href: "/graphql", name: "GraphiQL" },
  { href: "/docs", name: "REST" },
  { href: "/openapi.json", name: "OpenAPI" },
];

/** Frame around a page. `Main` has the same position in every frame, so React preserves it across navigation. */
export function Shell({ frame, children }: { readonly frame: Frame; readonly children: ReactNode }) {
  return (
    <>
      {frame !== "bare" && <SkipLink />}
      <StaleDataBanner />
      {frame === "dashboard" && <DashboardHeader />}
      {frame === "dashboard" && <FreezeBanner />}
      {frame === "plain" && <PlainHeader />}
      <Main className={frame === "plain" ? "max-w-lg" : "max-w-5xl"}>{children}</Main>
      {frame === "dashboard" && <DashboardFooter />}
    </>
  );
}

function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-10 rounded bg-paper px-3 py-2 text-leather underline focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
    >
      Skip to content
    </a>
  );
}

/** Banner above a page that shows cached data while the service is unreachable. */
function StaleDataBanner() {
  const isStale = useHasStaleData();
  return (
    <div role="status" className="sticky top-0 z-10">
      {isStale && (
        <p className="border-b border-caution bg-soft px-5 py-1.5 text-center text-small">
          Satchel is not responding. The data shown may be out of date. Retrying…
        </p>
      )}
    </div>
  );
}

function PlainHeader() {
  return (
    <header className="mx-auto flex max-w-lg items-center gap-2 px-5 pt-6">
      <Mark className="size-6 text-leather" />
      <span className="font-serif text-lead font-semibold">Satchel</span>
    </header>
  );
}

function DashboardFooter() {
  return (
    <footer className="mx-auto max-w-5xl px-5 text-small text-muted">
      <p className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line py-6">
        <span>Developers:</span>
        {DEVELOPER_LINKS.map(({ href, name }) => (
          <a key={href} href={href} className="underline underline-offset-3 hover:text-ink">
            {name}
          </a>
        ))}
      </p>
    </footer>
  );
}
