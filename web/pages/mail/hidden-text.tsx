import { Badge } from "../../components/badge.tsx";
import type { MailMessageViewFragment } from "../../generated/graphql.ts";

/** Warnings about a message's text, with the text that the message does not show. */
export function HiddenText({
  text,
  warnings,
}: {
  /** Empty if the message has none. */
  readonly text: string;
  readonly warnings: MailMessageViewFragment["warnings"];
}) {
  if (warnings.length === 0) return null;
  return (
    <details className="text-small">
      <summary className="cursor-pointer">
        <Badge tone="caution">{text === "" ? "Check the text" : "Hidden text"}</Badge>
      </summary>
      <div className="mt-2 max-w-[72ch] rounded-md border border-line p-3">
        {warnings.map(({ code, message }) => (
          <p key={code}>{message}</p>
        ))}
        {text !== "" && (
          <p dir="auto" className="mt-2 break-words whitespace-pre-wrap text-muted" data-hidden-text>
            {text}
          </p>
        )}
      </div>
    </details>
  );
}
