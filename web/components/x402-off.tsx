import { SetX402EnabledDocument } from "../generated/graphql.ts";
import { useOperation } from "../graphql/use-operation.ts";
import { Button } from "./button.tsx";
import { FailureNotice, Notice } from "./notice.tsx";

/** Payments are opt-in: what that means here, and the way to turn them on. */
export function X402Off({ consequence }: { readonly consequence: string }) {
  const turnOn = useOperation(SetX402EnabledDocument);
  return (
    <>
      <Notice tone="caution">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="min-w-0 flex-1 basis-48 text-small">
            <strong className="font-semibold">X402 payments are off</strong> for your account: {consequence}.
          </p>
          <Button size="small" isBusy={turnOn.isRunning} onClick={() => void turnOn.run({ input: { enabled: true } })}>
            Turn them on
          </Button>
        </div>
      </Notice>
      <FailureNotice failure={turnOn.failure} />
    </>
  );
}
