import { useCallback } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";
import { Mark } from "../components/mark.tsx";
import { ShellDocument } from "../generated/graphql.ts";
import { useLiveOrdersRequiringAction } from "../pages/orders/use-orders-requiring-action.ts";
import { AccountMenu } from "./account-menu.tsx";
import { PATHS } from "./paths.ts";
import { Sections } from "./sections.tsx";
import { useAccountChange } from "./use-account-change.ts";
import { useDisclosure } from "./use-disclosure.ts";
import { WaitingCount, waitingText } from "./waiting-count.tsx";

/** Header of every dashboard page: mark, navigation and account menu. */
export function DashboardHeader() {
  const [{ data }, executeQuery] = useQuery({ query: ShellDocument });
  const refetch = useCallback(() => executeQuery({ requestPolicy: "network-only" }), [executeQuery]);
  useAccountChange(data?.viewer?.account.id, refetch);
  const waiting = useLiveOrdersRequiringAction().length;
  const { isOpen, setIsOpen, button } = useDisclosure();
  return (
    <header className="border-b border-line">
      <div className="relative mx-auto flex max-w-5xl flex-wrap items-center gap-x-3 px-5 py-3">
        <Link href={PATHS.overview} className="flex items-center gap-2 text-lead font-semibold">
          <Mark className="size-6 text-leather" />
          <span className="font-serif">Satchel</span>
        </Link>
        <AccountMenu account={data?.viewer?.account} isAdministrator={data?.viewer?.isAdministrator ?? false} />
        <button
          ref={button}
          type="button"
          aria-expanded={isOpen}
          aria-controls="sections"
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-8 items-center gap-1.5 rounded border border-line px-3 text-small md:hidden"
        >
          Menu
          <WaitingCount waiting={waiting} />
        </button>
        <p role="status" className="sr-only">
          {waiting > 0 && waitingText(waiting)}
        </p>
        <nav id="sections" aria-label="Dashboard" className={`w-full pt-3 ${isOpen ? "" : "max-md:hidden"}`}>
          <Sections waiting={waiting} />
        </nav>
      </div>
    </header>
  );
}
