import { useId, useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Segments } from "../../components/segments.tsx";
import { Time } from "../../components/time.tsx";
import type { MailMessageViewFragment } from "../../generated/graphql.ts";
import { Files } from "./files.tsx";
import { HiddenText } from "./hidden-text.tsx";
import { AUTOMATIONS, STATUSES } from "./mail-labels.ts";
import { MessageActions } from "./message-actions.tsx";
import { MessageHtml } from "./message-html.tsx";
import { SenderCheck } from "./sender-check.tsx";

/** One message of a thread: one line when collapsed, the full message when expanded. */
export function Message({
  message,
  ownAddress,
  isOpenAtFirst,
  onChanged,
}: {
  readonly message: MailMessageViewFragment;
  /** Address of the mailbox. */
  readonly ownAddress: string;
  readonly isOpenAtFirst: boolean;
  readonly onChanged: () => void;
}) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const id = useId();
  const { from, fromName, direction, createdAt, preview, status } = message;
  const state = STATUSES[status];
  const name = direction === "OUTBOUND" ? "The agent" : fromName || from;
  return (
    <li className="rounded-lg border border-line">
      <article aria-labelledby={id}>
        <header className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-3">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className="min-w-0 flex-1 basis-56 text-left"
          >
            <span id={id} className="block truncate font-semibold">
              {name}
              {fromName && direction === "INBOUND" && <span className="font-normal text-muted">{` ${from}`}</span>}
            </span>
            {!isOpen && <span className="block truncate text-small text-muted">{preview || "No text"}</span>}
          </button>
          <span className="flex flex-wrap items-baseline gap-x-4 text-small text-muted">
            {state && <Badge tone={state.tone}>{state.text}</Badge>}
            {message.automated && <span>{AUTOMATIONS[message.automated]}</span>}
            <Time at={String(createdAt)} />
          </span>
        </header>
        {isOpen && <OpenMessage message={message} ownAddress={ownAddress} onChanged={onChanged} />}
      </article>
    </li>
  );
}

function OpenMessage({
  message,
  ownAddress,
  onChanged,
}: {
  readonly message: MailMessageViewFragment;
  readonly ownAddress: string;
  readonly onChanged: () => void;
}) {
  const { messageId, from, to, cc, authentication, hasHtml, hasRemoteImages, failureReason, nextAttemptAt } = message;
  const [format, setFormat] = useState<"html" | "text">(hasHtml ? "html" : "text");
  const [showsQuote, setShowsQuote] = useState(false);
  const { bodyText, extractedText } = message;
  const hasQuoted = extractedText.trim() !== "" && extractedText.trim() !== bodyText.trim();
  const files = message.attachments.filter(({ isInline }) => !isInline || format === "text");
  const addressList = (addresses: readonly string[]) =>
    addresses.map((address) => (address.toLowerCase() === ownAddress ? "the agent" : address)).join(", ");
  return (
    <div className="grid gap-3 px-4 pb-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 text-small break-words text-muted">
          To {addressList(to) || "undisclosed recipients"}
          {cc.length > 0 && `; cc ${addressList(cc)}`}
        </p>
        {hasHtml && (
          <Segments
            legend="Format"
            value={format}
            onChange={setFormat}
            choices={[
              { value: "html", text: "HTML" },
              { value: "text", text: "Plain text" },
            ]}
          />
        )}
      </div>
      {authentication && <SenderCheck from={from} authentication={authentication} />}
      {failureReason && (
        <p className="text-small text-bad">
          {failureReason}
          {nextAttemptAt && (
            <>
              {" "}
              Next attempt <Time at={String(nextAttemptAt)} />.
            </>
          )}
        </p>
      )}
      {format === "html" ? (
        <MessageHtml messageId={messageId} hasRemoteImages={hasRemoteImages} />
      ) : (
        <>
          <p dir="auto" className="max-w-[72ch] break-words whitespace-pre-wrap">
            {(showsQuote || !hasQuoted ? bodyText : extractedText).trim() || (
              <span className="text-muted">No text</span>
            )}
          </p>
          {hasQuoted && (
            <div>
              <Button look="quiet" size="small" aria-expanded={showsQuote} onClick={() => setShowsQuote(!showsQuote)}>
                {showsQuote ? "Hide quoted text" : "Show quoted text"}
              </Button>
            </div>
          )}
        </>
      )}
      <HiddenText text={message.hiddenText ?? ""} warnings={message.warnings} />
      <Files files={files} />
      <MessageActions message={message} onChanged={onChanged} />
    </div>
  );
}
