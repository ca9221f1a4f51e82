import type { ReactNode } from "react";
import type { Failure } from "../graphql/match-result.ts";
import { Button } from "./button.tsx";

const TONES = { bad: "border-bad", caution: "border-caution", good: "border-good", plain: "border-leather" };

/** Highlighted notice. */
export function Notice({
  tone = "plain",
  title,
  children,
}: {
  readonly tone?: keyof typeof TONES;
  readonly title?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className={`rounded-r-md border-l-3 bg-soft px-4 py-3 ${TONES[tone]}`}>
      {title && <p className="font-semibold">{title}</p>}
      {children}
    </div>
  );
}

/** Error message that screen readers announce at once. Render it always, even without a failure: an alert must exist before its text. */
export function FailureNotice({
  failure,
  onRetry,
}: {
  readonly failure: Failure | null;
  readonly onRetry?: () => void;
}) {
  return (
    <div role="alert">
      {failure && (
        <Notice tone="bad">
          <p>{failure.message}</p>
          {onRetry && (
            <Button size="small" className="mt-2" onClick={onRetry}>
              Retry
            </Button>
          )}
        </Notice>
      )}
    </div>
  );
}

/** Empty state of a list: states what will appear and how to make it appear. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="rounded-md border border-dashed border-line px-4 py-8 text-center text-muted">{children}</p>;
}
