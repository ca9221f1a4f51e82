import { useEffect, useRef } from "react";

let shownId: string | undefined;

/** Returns the id of the account that the page shows; undefined before it is known. */
export const shownAccountId = () => shownId;

/**
 * Detects that another account signed in from another tab. This page would still show the first account, while its actions
 * would apply to the other. The session is checked when the tab becomes visible or focused. Mutations also send the id of
 * the account shown, which the service compares.
 * @param refetch queries the signed-in account
 * @param onOther called if another account is signed in; reloads the page by default
 */
export function useAccountChange(
  id: string | undefined,
  refetch: () => void,
  onOther: () => void = () => location.reload(),
): void {
  const firstId = useRef(id);
  const onOtherRef = useRef(onOther);
  useEffect(() => {
    const checkAccount = () => {
      if (document.visibilityState === "visible") refetch();
    };
    document.addEventListener("visibilitychange", checkAccount);
    // Two windows side by side are both always visible.
    window.addEventListener("focus", checkAccount);
    return () => {
      document.removeEventListener("visibilitychange", checkAccount);
      window.removeEventListener("focus", checkAccount);
    };
  }, [refetch]);
  useEffect(() => {
    firstId.current ??= id;
    shownId = firstId.current;
    if (id && id !== firstId.current) onOtherRef.current();
    return () => {
      shownId = undefined;
    };
  }, [id]);
}
