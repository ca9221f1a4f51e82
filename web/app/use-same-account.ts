import { useEffect, useRef } from "react";

let shownId: string | undefined;

/** Whose account the page shows, where that is known. */
export const shownAccountId = () => shownId;

/**
 * Somebody else may have signed in in another tab. What stands here is the first one's, and what is pressed would be done for
 * the other: the service is told whom this page shows, and whoever comes back to this tab meets it anew.
 * @param again asks who is signed in
 * @param onOther where somebody else is
 */
export function useSameAccount(
  id: string | undefined,
  again: () => void,
  onOther: () => void = () => location.reload(),
): void {
  const first = useRef(id);
  const other = useRef(onOther);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") again();
    };
    document.addEventListener("visibilitychange", look);
    // Of two windows side by side both are visible all the while.
    window.addEventListener("focus", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("focus", look);
    };
  }, [again]);
  useEffect(() => {
    first.current ??= id;
    shownId = first.current;
    if (id && id !== first.current) other.current();
    return () => {
      shownId = undefined;
    };
  }, [id]);
}
