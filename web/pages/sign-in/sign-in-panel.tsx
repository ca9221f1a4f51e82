import { type ReactNode, useState } from "react";
import { useQuery } from "urql";
import { Button, buttonClass } from "../../components/button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { type SignedInFragment, SignInMethodsDocument } from "../../generated/graphql.ts";
import { canUsePasskeys } from "../../graphql/passkeys.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { EmailSignIn } from "./email-sign-in.tsx";
import { PasskeySignUp } from "./passkey-sign-up.tsx";
import { usePasskeySignIn } from "./use-passkey-sign-in.ts";

/**
 * Every way in, on one screen. The cookie is set when `onSignedIn` is called; what was asked before does not know it, so
 * load anew what depends on it.
 */
export function SignInPanel({
  returnTo,
  email,
  isProof = false,
  onSignedIn,
}: {
  /** A path of this site: where a journey to another provider comes back to. */
  readonly returnTo: string;
  /** Filled in where it is known. */
  readonly email?: string | null;
  /** Somebody signed in proves it is them: no new accounts then. */
  readonly isProof?: boolean;
  readonly onSignedIn: (signedIn: SignedInFragment) => void;
}) {
  const [{ data, error }, refresh] = useQuery({ query: SignInMethodsDocument });
  const [step, setStep] = useState<"choose" | "code" | "sign-up">("choose");
  const methods = data?.signInMethods;
  const hasPasskeys = (methods?.passkey && canUsePasskeys()) ?? false;
  const passkey = usePasskeySignIn(onSignedIn, hasPasskeys && step === "choose" && (methods?.emailCode ?? false));

  if (!methods) {
    const failure = error ? transportFailure(error) : null;
    return failure ? <FailureNotice failure={failure} onRetry={refresh} /> : <Skeleton className="h-48 w-full" />;
  }
  if (step === "sign-up") return <PasskeySignUp onSignedIn={onSignedIn} onBack={() => setStep("choose")} />;
  const upstreamUrl =
    methods.upstream && `${methods.upstream.startUrl}?${new URLSearchParams({ return_to: returnTo })}`;
  const isChoosing = step === "choose";
  return (
    <div className="grid gap-4">
      {methods.emailCode && (
        <EmailSignIn
          email={email ?? ""}
          returnTo={returnTo}
          onSent={(isSent) => setStep(isSent ? "code" : "choose")}
          onSignedIn={onSignedIn}
        />
      )}
      {isChoosing && methods.emailCode && (hasPasskeys || upstreamUrl) && <Or />}
      {isChoosing && hasPasskeys && (
        <Button isBusy={passkey.isRunning} onClick={() => void passkey.run()}>
          Use a passkey
        </Button>
      )}
      {isChoosing && <FailureNotice failure={passkey.failure} />}
      {isChoosing && upstreamUrl && (
        <a href={upstreamUrl} className={buttonClass()}>
          Continue with {methods.upstream?.name}
        </a>
      )}
      {isChoosing && hasPasskeys && !isProof && (
        <p className="mt-2 text-muted">
          No account, and no e-mail?{" "}
          <Button look="quiet" onClick={() => setStep("sign-up")}>
            Open one with a passkey
          </Button>
        </p>
      )}
      {!methods.emailCode && !hasPasskeys && !upstreamUrl && <NoWayIn />}
    </div>
  );
}

function Or(): ReactNode {
  return (
    <p
      aria-hidden="true"
      className="flex items-center gap-3 text-small text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
    >
      or
    </p>
  );
}

function NoWayIn() {
  return (
    <Notice tone="caution" title="There is no way to sign in here">
      <p>
        This installation sends no mail, and passkeys need a browser that has them and an address with a name. Programs
        go on working with their tokens.
      </p>
    </Notice>
  );
}
