import { SignInPanel } from "../sign-in/sign-in-panel.tsx";
import { Asker, mayPay, type Request, Wishes } from "./asker.tsx";

/** Who asks and what for, then the way in; of the account nothing is shown yet. */
export function SignInFirst({ request, onSignedIn }: { readonly request: Request; readonly onSignedIn: () => void }) {
  return (
    <div className="-mt-4">
      <Asker request={request} verb={mayPay(request) ? "asks to pay for you" : "asks for access"} />
      <Wishes request={request} />
      <p className="mt-4 mb-3">Sign in to decide. Nothing is allowed by signing in.</p>
      <SignInPanel
        returnTo={location.pathname + location.search}
        email={request.loginHint ?? null}
        onSignedIn={onSignedIn}
      />
    </div>
  );
}
