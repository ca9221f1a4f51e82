import { Button } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import { ResumeAccountDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { needsProof, useProof } from "./proof-dialog.tsx";

/** Button that resumes the account. It requires a sign-in with a passkey in the last 10 minutes. */
export function ResumeButton({
  account,
}: {
  readonly account: { readonly id: string; readonly email: string | null };
}) {
  const resume = useOperation(ResumeAccountDocument);
  const proof = useProof(account, "resuming the account requires a passkey", { isPasskeyOnly: true });
  const toast = useToast();
  async function run() {
    const { value, error } = await resume.run({});
    if (value) toast("The account was resumed.");
    else if (needsProof(error)) proof.request(() => void run());
  }
  return (
    <>
      <Button size="small" isBusy={resume.isRunning} onClick={() => void run()}>
        Resume account
      </Button>
      {/* The dialog replaces the failure that requires a proof. */}
      <FailureNotice failure={proof.dialog ? null : resume.failure} />
      {proof.dialog}
    </>
  );
}
