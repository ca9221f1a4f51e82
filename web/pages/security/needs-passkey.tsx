import { Button } from "../../components/button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { canUsePasskeys } from "../../graphql/passkeys.ts";
import { useProof } from "./proof-dialog.tsx";
import { useAddPasskey } from "./use-add-passkey.ts";

/** Notice for accounts without a passkey, with a button to add one. */
export function NeedsPasskey({
  account,
  what,
  onAdded,
}: {
  readonly account: { readonly id: string; readonly email: string | null };
  /** Action that requires a passkey, as the start of a sentence: "Approving". */
  readonly what: string;
  readonly onAdded: () => void;
}) {
  const proof = useProof(account);
  const adding = useAddPasskey(proof.request, onAdded);
  return (
    <div className="mt-3 grid gap-2">
      <Notice tone="caution">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="min-w-0 flex-1 basis-48 text-small">
            {what} requires a passkey. Your account has none.
            {!canUsePasskeys() && " This browser does not support passkeys. Use another browser."}
          </p>
          {canUsePasskeys() && (
            <Button size="small" isBusy={adding.isRunning} onClick={() => void adding.run()}>
              Add passkey
            </Button>
          )}
        </div>
      </Notice>
      <FailureNotice failure={adding.failure} />
      {proof.dialog}
    </div>
  );
}
