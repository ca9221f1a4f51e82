import { Link, useLocation } from "wouter";
import type { ShellQuery } from "../generated/graphql.ts";
import { SignOutButton } from "../pages/security/sign-out-button.tsx";
import { PATHS } from "./paths.ts";
import { useDisclosure } from "./use-disclosure.ts";

type Account = NonNullable<ShellQuery["viewer"]>["account"];

/** Menu with the signed-in account's name, the security page and the sign-out button. */
export function AccountMenu({
  account,
  isAdministrator,
}: {
  readonly account: Account | undefined;
  readonly isAdministrator: boolean;
}) {
  const { isOpen, setIsOpen, button } = useDisclosure();
  const name = account?.email ?? account?.displayName;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the element handles only loss of focus
    <div
      className="ml-auto min-w-0 max-md:flex-1 md:relative"
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setIsOpen(false)}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls="account"
        onClick={() => {
          setIsOpen(!isOpen);
          // Safari does not focus a clicked button.
          button.current?.focus();
        }}
        className="ml-auto flex min-h-8 max-w-full items-center gap-1.5 text-small text-muted hover:text-ink"
      >
        <span className="sr-only">Account</span>
        <span className="truncate">{name ?? <span aria-hidden="true">Account</span>}</span>
        <svg aria-hidden="true" viewBox="0 0 10 6" className="w-2.5 shrink-0 fill-none stroke-current stroke-[1.5]">
          <path d="m1 1 4 4 4-4" />
        </svg>
      </button>
      <div
        id="account"
        tabIndex={-1}
        hidden={!isOpen}
        className="absolute top-full right-0 z-20 mt-1 w-max max-w-72 min-w-48 rounded-md border max-md:inset-x-5 max-md:w-auto max-md:max-w-none border-line bg-paper p-4 shadow-float outline-none"
      >
        {isOpen && (
          <>
            {name && <p className="mb-2 font-medium wrap-anywhere">{name}</p>}
            <ul className="mb-3">
              <Entry path={PATHS.security} name="Security" />
              <Entry path={PATHS.yourData} name="Your data" />
              {isAdministrator && <Entry path={PATHS.admin} name="Administration" />}
            </ul>
            <SignOutButton />
          </>
        )}
      </div>
    </div>
  );
}

function Entry({ path, name }: { readonly path: string; readonly name: string }) {
  const [currentPath] = useLocation();
  const isCurrent = currentPath === path;
  return (
    <li>
      <Link
        href={path}
        aria-current={isCurrent ? "page" : undefined}
        className={`block py-1.5 hover:text-leather ${isCurrent ? "font-medium text-leather" : ""}`}
      >
        {name}
      </Link>
    </li>
  );
}
