import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { AddressBar } from "./address-bar.tsx";
import { LiveScreen } from "./live-screen.tsx";
import { REQUIRED_ACTIONS } from "./order-labels.ts";
import { SecurityCodeForm } from "./security-code-form.tsx";
import { TypeIntoPage } from "./type-into-page.tsx";
import { type LiveState, type LiveStreamOptions, useLiveStream } from "./use-live-stream.ts";

/** Width below which a full-page image is too small to read. */
const NARROW = "(width < 48rem)";

/** Live view of the checkout. While an action is required, the owner can act in it by pointer and keyboard. */
export function LiveView({ findUrl, whenNone }: LiveStreamOptions) {
  const { state, canvas, send } = useLiveStream({ findUrl, whenNone });
  const [chosen, setChosen] = useState<"whole" | "large" | null>(null);
  const { mayAct, requiredAction, page } = state;
  const isInteractive = mayAct && requiredAction === "three_d_secure";
  const isLarge = chosen === null ? isInteractive && matchMedia(NARROW).matches : chosen === "large";
  const isShown = state.hasPicture && !state.isPaused;
  const text = stateText(state);
  return (
    <div>
      <div role="alert">
        {requiredAction !== null && <RequiredActionNotice requiredAction={requiredAction} mayAct={mayAct} />}
      </div>
      {mayAct && requiredAction === "security_code" && (
        <SecurityCodeForm onSend={(code) => send({ type: "security-code", code })} />
      )}
      <p role="status" className={text ? "mb-2 text-muted" : "sr-only"}>
        {text ?? "Live view connected."}
      </p>
      <AddressBar page={page} />
      {isShown && (
        <p className="mb-2 text-right">
          <Button size="small" onClick={() => setChosen(isLarge ? "whole" : "large")}>
            {isLarge ? "Fit to width" : "Zoom in"}
          </Button>
        </p>
      )}
      {state.phase !== "over" && state.phase !== "refused" && (
        <LiveScreen canvas={canvas} isShown={isShown} isLarge={isLarge} isInteractive={isInteractive} send={send} />
      )}
      {isShown && isInteractive && <TypeIntoPage party={(page?.frame ?? page)?.party ?? "unknown"} send={send} />}
    </div>
  );
}

function RequiredActionNotice({
  requiredAction,
  mayAct,
}: {
  readonly requiredAction: string;
  readonly mayAct: boolean;
}) {
  const action = REQUIRED_ACTIONS[requiredAction];
  return (
    <div className="mb-4">
      <Notice tone="caution" title={action?.title ?? "Action required"}>
        <p>
          {mayAct
            ? action?.text
            : "Only the account owner can do this. Sign in to that account in this browser and open the link again."}
        </p>
      </Notice>
    </div>
  );
}

/** Returns the text shown in place of the image, or null while there is an image. */
function stateText({ phase, isPaused, hasPicture }: LiveState): string | null {
  switch (phase) {
    case "over":
      return "The checkout has ended.";
    case "refused":
      return "This link is invalid or expired. Links are valid for 15 minutes. Open the order page.";
    case "full":
      return "Too many viewers are connected. Reload the page later.";
    case "lost":
      return "Connection lost. Reconnecting…";
    case "waiting":
      return "Waiting for the checkout to start.";
    case "connecting":
      return "Connecting…";
    case "live":
      if (isPaused) return "Hidden while card details are entered.";
      return hasPicture ? null : "Waiting for the first image.";
  }
}
