import { useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { Checkbox, TextArea } from "../../components/field.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type MailMessageViewFragment, ReplyToMailDocument, SaveMailDraftDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { FileField } from "./email-fields.tsx";
import { isQueued, sentText } from "./send-outcome.ts";
import { useUploads } from "./use-uploads.ts";

/** Form to reply to a message in its thread. */
export function Reply({
  message,
  ownAddress,
  onSent,
}: {
  readonly message: MailMessageViewFragment;
  readonly ownAddress: string;
  readonly onSent: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const toast = useToast();
  const reply = useOperation(ReplyToMailDocument);
  const saveDraft = useOperation(SaveMailDraftDocument);
  const uploads = useUploads();
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const { messageId, automated, direction, authentication } = message;
  const others = [...message.to, ...message.cc].filter((address) => address.toLowerCase() !== ownAddress);
  const isInbound = direction === "INBOUND";
  const recipient = isInbound ? (message.replyTo ?? message.from) : message.to.join(", ");
  const canReplyAll = isInbound && others.length > 0;
  async function send(fields: FormData) {
    const { error } = await reply.run({
      input: {
        messageId,
        body: String(fields.get("body") ?? ""),
        replyAll: fields.get("replyAll") === "on",
        force: fields.get("force") === "on",
        attachmentIds: uploads.files.map(({ attachmentId }) => attachmentId),
        idempotencyKey,
      },
    });
    if (error && !isQueued(error)) return;
    toast(sentText(error, recipient), error ? "bad" : "good");
    resetForm();
    onSent();
  }
  async function saveAsDraft(fields: FormData) {
    const { value } = await saveDraft.run({
      input: {
        to: isInbound ? [recipient] : message.to,
        subject: /^re:/i.test(message.subject) ? message.subject : `Re: ${message.subject}`,
        body: String(fields.get("body") ?? ""),
        attachmentIds: uploads.files.map(({ attachmentId }) => attachmentId),
        inReplyToId: messageId,
      },
    });
    if (!value) return;
    toast("Draft saved.");
    resetForm();
  }
  function resetForm() {
    form.current?.reset();
    uploads.reset();
    reply.clear();
    saveDraft.clear();
    setIdempotencyKey(crypto.randomUUID());
  }
  return (
    <Section title="Reply" hint={`To ${recipient}, in plain text.`}>
      <form
        ref={form}
        className="grid max-w-2xl gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void send(new FormData(event.currentTarget));
        }}
      >
        {authentication?.verdict === "SUSPICIOUS" && (
          <Notice tone="caution">
            <p>
              The sender of this message may be forged. Your reply goes to the named address, which may belong to
              someone else.
            </p>
          </Notice>
        )}
        {automated && (
          <Notice tone="caution" title="Automated message">
            <p>Replies to automated messages are usually not read and can cause mail loops.</p>
            <Checkbox name="force" label="Reply anyway" />
          </Notice>
        )}
        <TextArea name="body" label="Message" rows={6} error={failureAt(reply.failure, "body")} />
        {canReplyAll && <Checkbox name="replyAll" label={`Also to ${others.join(", ")}`} className="break-all" />}
        <FileField uploads={uploads} />
        <FailureNotice failure={failureAt(reply.failure, "body") ? null : (reply.failure ?? saveDraft.failure)} />
        <Actions>
          <Button
            isBusy={saveDraft.isRunning || uploads.isUploading}
            onClick={({ currentTarget: { form: fields } }) => fields && void saveAsDraft(new FormData(fields))}
          >
            Save draft
          </Button>
          <Button type="submit" look="primary" isBusy={reply.isRunning || uploads.isUploading}>
            Send reply
          </Button>
        </Actions>
      </form>
    </Section>
  );
}
