import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { LiveScreen } from "./live-screen.tsx";
import { NEEDS } from "./order-words.ts";
import { SecurityCodeForm } from "./security-code-form.tsx";
import { TypeIntoPage } from "./type-into-page.tsx";
import { type LiveState, useLiveStream, type Watched } from "./use-live-stream.ts";

/** Where the page, shown whole, is too small to be read. */
const NARROW = "(width < 48rem)";

/** The shop's page as the checkout sees it; while a person is needed its owner acts in it, by pointer and keyboard. */
export function LiveView({ findUrl, whenNone }: Watched) {
  const { state, canvas, send } = useLiveStream({ findUrl, whenNone });
  const [chosen, setChosen] = useState<"whole" | "large" | null>(null);
  const { mayAct, neededFor } = state;
  const acts = mayAct && neededFor === "three_d_secure";
  const isLarge = chosen === null ? acts && matchMedia(NARROW).matches : chosen === "large";
  const isShown = state.hasPicture && !state.isPaused;
  const text = stateText(state);
  return (
    <div>
      <div role="alert">{neededFor !== null && <Needed neededFor={neededFor} mayAct={mayAct} />}</div>
      {mayAct && neededFor === "security_code" && (
        <SecurityCodeForm onSend={(code) => send({ type: "security-code", code })} />
      )}
      <p role="status" className={text ? "mb-2 text-muted" : "sr-only"}>
        {text ?? "The shop’s page is shown."}
      </p>
      {isShown && (
        <p className="mb-2 text-right">
          <Button size="small" onClick={() => setChosen(isLarge ? "whole" : "large")}>
            {isLarge ? "Show it whole" : "Show it larger"}
          </Button>
        </p>
      )}
      {state.phase !== "over" && state.phase !== "refused" && (
        <LiveScreen canvas={canvas} isShown={isShown} isLarge={isLarge} acts={acts} send={send} />
      )}
      {isShown && acts && <TypeIntoPage send={send} />}
    </div>
  );
}

function Needed({ neededFor, mayAct }: { readonly neededFor: string; readonly mayAct: boolean }) {
  const need = NEEDS[neededFor];
  return (
    <div className="mb-4">
      <Notice tone="caution" title={need?.title ?? "The checkout needs you"}>
        <p>
          {mayAct
            ? need?.text
            : "Only the account’s owner can answer it: sign in as them in this browser and open it again."}
        </p>
      </Notice>
    </div>
  );
}

/** What stands in for the picture; null while there is one. */
function stateText({ phase, isPaused, hasPicture }: LiveState): string | null {
  switch (phase) {
    case "over":
      return "The checkout is over.";
    case "refused":
      return "This link is not valid, or its 15 minutes are over. Open the order’s own page.";
    case "full":
      return "Too many watch this checkout at the moment. Load the page again in a while.";
    case "lost":
      return "The connection was lost. Connecting again.";
    case "waiting":
      return "Waiting for a checkout to begin.";
    case "connecting":
      return "Connecting.";
    case "live":
      if (isPaused) return "Not shown while card details are typed in.";
      return hasPicture ? null : "Waiting for the first picture.";
  }
}
