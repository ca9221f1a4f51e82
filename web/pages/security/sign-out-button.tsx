import { beginSignOut, redirectToSignIn } from "../../app/sign-in-link.ts";
import { Button } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { SignOutDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

export function SignOutButton() {
  const signOut = useOperation(SignOutDocument);
  async function submit() {
    const undoLeave = beginSignOut();
    const { value } = await signOut.run({});
    // A full page load discards all cached data.
    if (value) redirectToSignIn();
    else undoLeave();
  }
  return (
    <div className="[&>[role=alert]:not(:empty)]:mt-3">
      <Button isBusy={signOut.isRunning} onClick={() => void submit()}>
        Sign out
      </Button>
      <FailureNotice failure={signOut.failure} />
    </div>
  );
}
