import { useEffect, useRef } from "react";

/**
 * Somebody else may have signed in in another tab. What stands here is the first one's, and what is pressed would be done for
 * the other: whoever comes back to this tab meets it anew.
 * @param again asks who is signed in
 */
export function useSameAccount(id: string | undefined, again: () => void): void {
  const first = useRef(id);
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
    if (id && id !== first.current) location.reload();
  }, [id]);
}
