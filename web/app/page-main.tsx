import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";

/** The title of `index.html`, shown while a page loads. */
const INITIAL_TITLE = document.title;

/** The `main` element. After navigation it scrolls to the top, receives focus and announces the page title to screen readers. */
export function Main({ children, className }: { readonly children: ReactNode; readonly className: string }) {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(path);
  const isBackNavigation = useRef(false);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    const markBackNavigation = () => {
      isBackNavigation.current = true;
    };
    // The capture phase precedes the router's own listener.
    addEventListener("popstate", markBackNavigation, { capture: true });
    return () => removeEventListener("popstate", markBackNavigation, { capture: true });
  }, []);
  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    // On back navigation the browser restores the scroll position.
    if (!isBackNavigation.current) scrollTo(0, 0);
    isBackNavigation.current = false;
    main.current?.focus({ preventScroll: true });
    setAnnouncement("");
    return observeTitle(setAnnouncement);
  }, [path]);
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <main ref={main} id="main" tabIndex={-1} className={`mx-auto px-5 pt-8 pb-20 outline-none ${className}`}>
        {children}
      </main>
    </>
  );
}

/** Calls `onTitle` once, as soon as the page sets its title. @returns a function that stops waiting */
function observeTitle(onTitle: (title: string) => void): () => void {
  const observer = new MutationObserver(checkTitle);
  observer.observe(document.head, { childList: true, characterData: true, subtree: true });
  checkTitle();
  return () => observer.disconnect();

  function checkTitle() {
    if (document.title === INITIAL_TITLE) return;
    observer.disconnect();
    onTitle(document.title);
  }
}
