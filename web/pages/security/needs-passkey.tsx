import { Button } from "../../components/button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { canUsePasskeys } from "../../graphql/passkeys.ts";
import { useProof } from "./proof-dialog.tsx";
import { useAddPasskey } from "./use-add-passkey.ts";

/** In place of what takes a passkey, for an account without: how to get one, here and now. */
export function NeedsPasskey({
  account,
  what,
  onAdded,
}: {
  readonly account: { readonly id: string; readonly email: string | null };
  /** Begins a sentence: "Approving". */
  readonly what: string;
  readonly onAdded: () => void;
}) {
  const proof = useProof(account);
  const adding = useAddPasskey(proof.ask, onAdded);
  return (
    <div className="mt-3 grid gap-2">
      <Notice tone="caution">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="min-w-0 flex-1 basis-48 text-small">
            {what} takes a passkey, and your account has none.
            {!canUsePasskeys() && " This browser has no passkeys here; use another one."}
          </p>
          {canUsePasskeys() && (
            <Button size="small" isBusy={adding.isRunning} onClick={() => void adding.run()}>
              Add a passkey
            </Button>
          )}
        </div>
      </Notice>
      <FailureNotice failure={adding.failure} />
      {proof.dialog}
    </div>
  );
}
