import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { DateTime } from "../../components/time.tsx";
import { ConfirmAccountRecoveryDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Confirmation of the new email address of an account whose mailbox is lost. The link's fragment is the token. */
export default function RecoverPage() {
  const [token] = useState(() => location.hash.slice(1));
  const [effectiveAt, setEffectiveAt] = useState<string | null>(null);
  const confirm = useOperation(ConfirmAccountRecoveryDocument);
  async function run() {
    const { value } = await confirm.run({ input: { token } });
    if (value) setEffectiveAt(value.effectiveAt);
  }
  return (
    <>
      <PageTitle>Confirm your new email address</PageTitle>
      <div className="mt-4 grid gap-4">
        {effectiveAt ? (
          <Notice tone="good" title="Address confirmed">
            <p>
              The change takes effect on <DateTime at={effectiveAt} />, unless the account's owner cancels it. After
              that, sign in with this address.
            </p>
          </Notice>
        ) : (
          <>
            <p>Confirm that you read this mailbox. Sign-in codes of your account are sent to it after the change.</p>
            <FailureNotice failure={confirm.failure} />
            <Button look="primary" isBusy={confirm.isRunning} onClick={() => void run()}>
              Confirm
            </Button>
          </>
        )}
      </div>
    </>
  );
}
