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
 * Panel with all sign-in methods. It calls `onSignedIn` after the session cookie is set. The caller must then reload data
 * that was loaded without this session.
 */
export function SignInPanel({
  returnTo,
  email,
  isProof = false,
  isPasskeyOnly = false,
  onSignedIn,
}: {
  /** Path on this site to return to after a sign-in with the upstream identity provider. */
  readonly returnTo: string;
  /** Email address to prefill, if known. */
  readonly email?: string | null;
  /** Whether the panel reauthenticates a signed-in user. If true, account creation is hidden. */
  readonly isProof?: boolean;
  /** Whether only a sign-in with a passkey counts. If true, the other methods are hidden. */
  readonly isPasskeyOnly?: boolean;
  readonly onSignedIn: (signedIn: SignedInFragment) => void;
}) {
  const [{ data, error }, refresh] = useQuery({ query: SignInMethodsDocument });
  const [step, setStep] = useState<"choose" | "code" | "sign-up">("choose");
  const available = data?.signInMethods;
  const methods = available && isPasskeyOnly ? { ...available, emailCode: false, upstream: null } : available;
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
          Use passkey
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
          No account and no email address?{" "}
          <Button look="quiet" onClick={() => setStep("sign-up")}>
            Create account with passkey
          </Button>
        </p>
      )}
      {!methods.emailCode && !hasPasskeys && !upstreamUrl && <NoSignInMethod />}
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

function NoSignInMethod() {
  return (
    <Notice tone="caution" title="Sign-in unavailable">
      <p>
        This installation sends no email. Passkeys require a supporting browser and a domain name. API tokens continue
        to work.
      </p>
    </Notice>
  );
}
