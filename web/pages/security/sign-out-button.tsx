import { goToSignIn, leave } from "../../app/sign-in-link.ts";
import { Button } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { SignOutDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

export function SignOutButton() {
  const signOut = useOperation(SignOutDocument);
  async function signOutHere() {
    const stay = leave();
    const { value } = await signOut.run({});
    // A page of its own: nothing that was known before stays.
    if (value) goToSignIn();
    else stay();
  }
  return (
    <div className="[&>[role=alert]:not(:empty)]:mt-3">
      <Button isBusy={signOut.isRunning} onClick={() => void signOutHere()}>
        Sign out
      </Button>
      <FailureNotice failure={signOut.failure} />
    </div>
  );
}
