import { SetX402EnabledDocument } from "../generated/graphql.ts";
import { useOperation } from "../graphql/use-operation.ts";
import { Button } from "./button.tsx";
import { FailureNotice, Notice } from "./notice.tsx";

/** Notice that X402 payments, which are opt-in, are disabled for the account, with a button that enables them. */
export function X402DisabledNotice({ consequence }: { readonly consequence: string }) {
  const enable = useOperation(SetX402EnabledDocument);
  return (
    <>
      <Notice tone="caution">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="min-w-0 flex-1 basis-48 text-small">
            <strong className="font-semibold">X402 payments are disabled</strong> for your account: {consequence}.
          </p>
          <Button size="small" isBusy={enable.isRunning} onClick={() => void enable.run({ input: { enabled: true } })}>
            Enable payments
          </Button>
        </div>
      </Notice>
      <FailureNotice failure={enable.failure} />
    </>
  );
}
