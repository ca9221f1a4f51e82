import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

type Tone = "good" | "bad";
type Toast = { readonly id: number; readonly text: string; readonly tone: Tone };
type Show = (text: string, tone?: Tone) => void;

const SHOWN_MS = 6_000;
const Context = createContext<Show>(() => {});

/** Returns a function that shows a short message for six seconds. Show lasting information on the page instead. */
export const useToast = () => useContext(Context);

let lastId = 0;

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const show = useCallback<Show>((text, tone = "good") => {
    lastId += 1;
    const id = lastId;
    setToasts((all) => [...all.slice(-2), { id, text, tone }]);
    setTimeout(() => setToasts((all) => all.filter((toast) => toast.id !== id)), SHOWN_MS);
  }, []);
  return (
    <Context value={show}>
      {children}
      <div
        role="status"
        aria-live="polite"
        className="toasts pointer-events-none fixed inset-x-5 top-4 z-40 flex flex-col items-center gap-2"
      >
        {toasts.map(({ id, text, tone }) => (
          <p
            key={id}
            className={`rounded-md border border-line border-l-3 bg-paper px-4 py-2 shadow-float ${tone === "bad" ? "border-l-bad" : "border-l-good"}`}
          >
            {text}
          </p>
        ))}
      </div>
    </Context>
  );
}
