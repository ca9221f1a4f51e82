import { type ReactNode, useEffect, useRef, useState } from "react";
import { useQuery } from "urql";
import { Link, useLocation } from "wouter";
import { Mark } from "../components/mark.tsx";
import { ShellDocument } from "../generated/graphql.ts";
import { useWatchedWaiting } from "../pages/orders/use-waiting.ts";
import { PATHS } from "./paths.ts";

const SECTIONS = [
  { path: PATHS.overview, name: "Overview" },
  { path: PATHS.fund, name: "Fund" },
  { path: PATHS.tokens, name: "API tokens" },
  { path: PATHS.apps, name: "Apps" },
  { path: PATHS.gateway, name: "AI gateway" },
  { path: PATHS.trades, name: "Trades" },
  { path: PATHS.agent, name: "Agent" },
  { path: PATHS.mail, name: "Mail" },
  { path: PATHS.orders, name: "Orders" },
  { path: PATHS.merchants, name: "Shops" },
  { path: PATHS.cards, name: "Cards" },
  { path: PATHS.policy, name: "Policy" },
  { path: PATHS.webhooks, name: "Webhooks" },
  { path: PATHS.developer, name: "Developer" },
  { path: PATHS.security, name: "Security" },
];

const PROGRAM_LINKS = [
  { href: "/graphql", name: "GraphiQL" },
  { href: "/docs", name: "REST" },
  { href: "/openapi.json", name: "OpenAPI" },
];

/** The dashboard around a page: the mark, the sections, who is signed in. */
export function DashboardFrame({ children }: { readonly children: ReactNode }) {
  const [{ data }] = useQuery({ query: ShellDocument });
  const account = data?.viewer?.account;
  const waiting = useWatchedWaiting().length;
  const [isOpen, setIsOpen] = useState(false);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the address changes
  useEffect(() => setIsOpen(false), [path]);
  return (
    <>
      <SkipLink />
      <header className="border-b border-line">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-6 px-5 py-3">
          <Link href={PATHS.overview} className="flex items-center gap-2 text-lead font-semibold">
            <Mark className="size-6 text-leather" />
            <span className="font-serif">Satchel</span>
          </Link>
          <span className="ml-auto min-w-0 truncate text-small text-muted max-sm:hidden">
            {account?.email ?? account?.displayName ?? ""}
          </span>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="sections"
            onClick={() => setIsOpen(!isOpen)}
            className="ml-auto flex items-center gap-1.5 rounded border border-line px-3 py-1 text-small md:hidden"
          >
            Menu
            <Count waiting={waiting} />
          </button>
          <p role="status" className="sr-only">
            {waiting > 0 && waitingText(waiting)}
          </p>
          <nav id="sections" aria-label="Dashboard" className={`w-full max-md:pt-3 ${isOpen ? "" : "max-md:hidden"}`}>
            <ul className="flex flex-col gap-x-5 md:flex-row md:flex-wrap md:pt-2">
              {SECTIONS.map((section) => (
                <Section key={section.path} {...section} waiting={section.path === PATHS.orders ? waiting : 0} />
              ))}
              {data?.viewer?.isAdministrator && <Section path={PATHS.admin} name="Reviews" waiting={0} />}
            </ul>
          </nav>
        </div>
      </header>
      <Main className="max-w-5xl">{children}</Main>
      <footer className="mx-auto max-w-5xl px-5 text-small text-muted">
        <p className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line py-6">
          <span>For programs:</span>
          {PROGRAM_LINKS.map(({ href, name }) => (
            <a key={href} href={href} className="underline underline-offset-3 hover:text-ink">
              {name}
            </a>
          ))}
        </p>
      </footer>
    </>
  );
}

function Section({
  path,
  name,
  waiting,
}: {
  readonly path: string;
  readonly name: string;
  /** How much of it waits for its person. */
  readonly waiting: number;
}) {
  const [here] = useLocation();
  const isHere = path === PATHS.overview ? here === path : here.startsWith(path);
  return (
    <li>
      <Link
        href={path}
        aria-current={isHere ? "page" : undefined}
        className={`flex items-center gap-1.5 border-leather py-1.5 max-md:pl-3 ${isHere ? "font-medium text-leather max-md:border-l-2 md:border-b-2" : "text-muted hover:text-ink"}`}
      >
        {name}
        <Count waiting={waiting} />
      </Link>
    </li>
  );
}

function Count({ waiting }: { readonly waiting: number }) {
  if (waiting === 0) return null;
  return (
    <span className="figures rounded-full bg-leather px-1.5 text-small leading-5 font-medium text-paper">
      <span aria-hidden="true">{waiting}</span>
      <span className="sr-only">({waitingText(waiting)})</span>
    </span>
  );
}

const waitingText = (waiting: number) => (waiting === 1 ? "1 order waits for you" : `${waiting} orders wait for you`);

/** A page alone on the screen: signing in, deciding, buying. */
export function PlainFrame({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <header className="mx-auto flex max-w-lg items-center gap-2 px-5 pt-6">
        <Mark className="size-6 text-leather" />
        <span className="font-serif text-lead font-semibold">Satchel</span>
      </header>
      <Main className="max-w-lg">{children}</Main>
    </>
  );
}

/** A page that is one thing to look at. */
export function BareFrame({ children }: { readonly children: ReactNode }) {
  return <Main className="max-w-5xl">{children}</Main>;
}

function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-10 rounded bg-paper px-3 py-2 text-leather underline focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
    >
      Skip to the content
    </a>
  );
}

/** After a change of page the reader goes on at its title, and a screen reader says it. */
function Main({ children, className }: { readonly children: ReactNode; readonly className: string }) {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <main ref={main} id="main" tabIndex={-1} className={`mx-auto px-5 pt-8 pb-20 outline-none ${className}`}>
      {children}
    </main>
  );
}
