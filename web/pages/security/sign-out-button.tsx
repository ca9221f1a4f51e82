import { Button } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { SignOutDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

export function SignOutButton() {
  const signOut = useOperation(SignOutDocument);
  async function leave() {
    const { value } = await signOut.run({});
    // A page of its own: nothing that was known before stays.
    if (value) location.assign("/sign-in");
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button isBusy={signOut.isRunning} onClick={() => void leave()}>
        Sign out
      </Button>
      <FailureNotice failure={signOut.failure} />
    </div>
  );
}
