import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";

/** The title of the document itself, which stands while a page is on its way. */
const NO_PAGE = document.title;

/** Where pages are. After a change of page the reader goes on at its top, and a screen reader says its title. */
export function Main({ children, className }: { readonly children: ReactNode; readonly className: string }) {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  const isBack = useRef(false);
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const note = () => {
      isBack.current = true;
    };
    // Before the router hears of it.
    addEventListener("popstate", note, { capture: true });
    return () => removeEventListener("popstate", note, { capture: true });
  }, []);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    // On the way back the browser knows where the reader was.
    if (!isBack.current) scrollTo(0, 0);
    isBack.current = false;
    main.current?.focus({ preventScroll: true });
    setSpoken("");
    return whenTitled(setSpoken);
  }, [path]);
  return (
    <>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      <main ref={main} id="main" tabIndex={-1} className={`mx-auto px-5 pt-8 pb-20 outline-none ${className}`}>
        {children}
      </main>
    </>
  );
}

/** Tells a page's title as soon as it has one. @returns stops waiting for it */
function whenTitled(tell: (title: string) => void): () => void {
  const observer = new MutationObserver(look);
  observer.observe(document.head, { childList: true, characterData: true, subtree: true });
  look();
  return () => observer.disconnect();

  function look() {
    if (document.title === NO_PAGE) return;
    observer.disconnect();
    tell(document.title);
  }
}
