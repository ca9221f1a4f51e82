import { FailureNotice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Switch } from "../../components/switch.tsx";
import { useToast } from "../../components/toasts.tsx";
import { SetX402EnabledDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Switch that enables X402 payments, which are off by default. @param isOn undefined while loading */
export function X402Switch({ isOn }: { readonly isOn: boolean | undefined }) {
  const set = useOperation(SetX402EnabledDocument);
  const toast = useToast();
  async function change(enabled: boolean) {
    const { value } = await set.run({ input: { enabled } });
    if (value) toast(enabled ? "X402 payments enabled." : "X402 payments disabled.");
  }
  return (
    <>
      <div className="mt-6 flex items-center justify-between gap-6 rounded-lg border border-line p-4">
        <div className="min-w-0">
          <p className="font-medium">
            {isOn === undefined ? (
              <Skeleton className="h-5 w-44" />
            ) : isOn ? (
              "X402 payments are on"
            ) : (
              "X402 payments are off"
            )}
          </p>
          <p className="text-small text-muted">
            {isOn === undefined ? (
              <Skeleton className="h-4 w-64" />
            ) : isOn ? (
              "Your tokens and apps can pay for requests within your limits."
            ) : (
              "Turn on X402 payments to let tokens and apps pay from this account."
            )}
          </p>
        </div>
        {isOn === undefined ? (
          <Skeleton className="h-7 w-12 shrink-0" />
        ) : (
          <Switch
            label="X402 payments"
            isOn={isOn}
            isBusy={set.isRunning}
            onChange={(enabled) => void change(enabled)}
          />
        )}
      </div>
      <FailureNotice failure={set.failure} />
    </>
  );
}
