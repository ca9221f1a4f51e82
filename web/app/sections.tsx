import { useId } from "react";
import { Link, useLocation } from "wouter";
import { PATHS } from "./paths.ts";
import { WaitingCount } from "./waiting-count.tsx";

interface Section {
  readonly path: string;
  readonly name: string;
}

const GROUPS: readonly { readonly name: string; readonly sections: readonly Section[] }[] = [
  {
    name: "Money",
    sections: [
      { path: PATHS.overview, name: "Overview" },
      { path: PATHS.fund, name: "Fund" },
      { path: PATHS.trades, name: "Trades" },
    ],
  },
  {
    name: "Shopping",
    sections: [
      { path: PATHS.orders, name: "Orders" },
      { path: PATHS.merchants, name: "Merchants" },
      { path: PATHS.cards, name: "Cards" },
      { path: PATHS.policy, name: "Policy" },
    ],
  },
  {
    name: "Agent",
    sections: [
      { path: PATHS.connect, name: "Connect" },
      { path: PATHS.agent, name: "Agent" },
      { path: PATHS.mail, name: "Mail" },
    ],
  },
  {
    name: "Developers",
    sections: [
      { path: PATHS.tokens, name: "API tokens" },
      { path: PATHS.apps, name: "Apps" },
      { path: PATHS.gateway, name: "AI gateway" },
      { path: PATHS.webhooks, name: "Webhooks" },
      { path: PATHS.developer, name: "Developer" },
    ],
  },
];

/** Navigation links of the dashboard, in groups. */
export function Sections({ waiting }: { readonly waiting: number }) {
  const id = useId();
  return (
    <ul className="flex flex-wrap gap-x-7 gap-y-3 max-md:flex-col">
      {GROUPS.map(({ name, sections }, index) => (
        <li key={name}>
          <p id={`${id}${index}`} className="text-small text-muted">
            {name}
          </p>
          <ul
            aria-labelledby={`${id}${index}`}
            className="flex gap-x-3.5 max-md:flex-wrap max-md:gap-x-5 md:text-small"
          >
            {sections.map((section) => (
              <Entry key={section.path} {...section} waiting={section.path === PATHS.orders ? waiting : 0} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Entry({ path, name, waiting }: Section & { readonly waiting: number }) {
  const [currentPath] = useLocation();
  const isCurrent = path === PATHS.overview ? currentPath === path : currentPath.startsWith(path);
  return (
    <li>
      <Link
        href={path}
        aria-current={isCurrent ? "page" : undefined}
        className={`flex items-center gap-1.5 border-b-2 py-1 whitespace-nowrap max-md:py-2 ${isCurrent ? "border-leather font-medium text-leather" : "border-transparent hover:text-leather"}`}
      >
        {name}
        <WaitingCount waiting={waiting} />
      </Link>
    </li>
  );
}
