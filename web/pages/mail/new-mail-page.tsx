import { useState } from "react";
import { useQuery } from "urql";
import { Link, useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { PATHS } from "../../app/paths.ts";
import { Button } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  ChangeMailDraftDocument,
  MailboxDocument,
  MailDraftDocument,
  type MailDraftRowFragment,
  SaveMailDraftDocument,
  SendMailDocument,
  SendMailDraftDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { FileField } from "./email-fields.tsx";
import { threadPath } from "./mail-labels.ts";
import { OpenMailbox } from "./open-mailbox.tsx";
import { isQueued, readAddresses, sentText } from "./send-outcome.ts";
import { useUploads } from "./use-uploads.ts";

/** Page to compose an email, or to open the mailbox first. */
export default function NewMailPage() {
  const mail = useReading({ query: MailboxDocument }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again } = mail;
  if (viewer) return viewer.mailbox ? <NewOrDraft /> : <OpenMailbox agent={viewer.agent ?? null} onOpened={again} />;
  if (!failure) return <PageSkeleton />;
  return (
    <>
      <PageTitle>Compose</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
    </>
  );
}

/** Loads the draft named in the URL, if any. */
function NewOrDraft() {
  const draftId = new URLSearchParams(useSearch()).get("draft");
  const [{ data, fetching }] = useQuery({
    query: MailDraftDocument,
    variables: { id: draftId ?? "" },
    pause: draftId === null,
    requestPolicy: "network-only",
  });
  const draft = data?.mailDraft ?? null;
  if (draftId !== null && !draft && (fetching || !data)) return <PageSkeleton />;
  return <EmailForm key={draft?.id ?? ""} draft={draft} />;
}

function EmailForm({ draft }: { readonly draft: MailDraftRowFragment | null }) {
  const [, navigate] = useLocation();
  const toast = useToast();
  const uploads = useUploads(draft?.attachments ?? []);
  const send = useOperation(SendMailDocument);
  const sendDraft = useOperation(SendMailDraftDocument);
  const saveDraft = useOperation(SaveMailDraftDocument);
  const changeDraft = useOperation(ChangeMailDraftDocument);
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const failure = send.failure ?? sendDraft.failure ?? saveDraft.failure ?? changeDraft.failure;
  const at = (field: string) => failureAt(failure, field);

  function readForm(form: HTMLFormElement) {
    const fields = new FormData(form);
    const text = (name: string) => String(fields.get(name) ?? "");
    return {
      to: readAddresses(text("to")),
      cc: readAddresses(text("cc")),
      subject: text("subject").trim(),
      body: text("body"),
      attachmentIds: uploads.files.map(({ attachmentId }) => attachmentId),
    };
  }
  async function sendEmail(form: HTMLFormElement) {
    saveDraft.clear();
    changeDraft.clear();
    const email = readForm(form);
    // A draft may reply to a message. Sending the draft itself adds the email to that thread.
    if (draft && (await changeDraft.run({ input: { ...email, id: draft.draftId } })).error) return;
    const { value, error } = draft
      ? await sendDraft.run({ input: { id: draft.draftId, idempotencyKey } })
      : await send.run({ input: { ...email, idempotencyKey } });
    if (error && !isQueued(error)) return;
    toast(sentText(error, email.to.join(", ")), error ? "bad" : "good");
    navigate(value ? threadPath(value.mailMessage.thread.threadId) : PATHS.mail);
  }
  async function saveAsDraft(form: HTMLFormElement) {
    send.clear();
    sendDraft.clear();
    const email = readForm(form);
    const { error } = draft
      ? await changeDraft.run({ input: { ...email, id: draft.draftId } })
      : await saveDraft.run({ input: email });
    if (error) return;
    toast("Draft saved.");
    navigate(PATHS.mail);
  }
  return (
    <>
      <Link href={PATHS.mail} className="text-small text-leather underline underline-offset-3">
        Inbox
      </Link>
      <PageTitle>{draft ? "Draft" : "Compose"}</PageTitle>
      <form
        className="mt-6 grid max-w-2xl gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void sendEmail(event.currentTarget);
        }}
      >
        <TextField
          name="to"
          label="To"
          hint="Email addresses, separated by commas."
          autoComplete="off"
          inputMode="email"
          defaultValue={draft?.to.join(", ")}
          error={at("to")}
        />
        <TextField
          name="cc"
          label="Cc"
          autoComplete="off"
          inputMode="email"
          defaultValue={draft?.cc.join(", ")}
          error={at("cc")}
        />
        <TextField
          name="subject"
          label="Subject"
          maxLength={500}
          autoComplete="off"
          defaultValue={draft?.subject}
          error={at("subject")}
        />
        <TextArea name="body" label="Message" rows={12} defaultValue={draft?.body} error={at("body")} />
        <FileField uploads={uploads} />
        <FailureNotice failure={["to", "cc", "subject", "body"].some(at) ? null : failure} />
        <Actions>
          <Button
            isBusy={saveDraft.isRunning || changeDraft.isRunning}
            onClick={({ currentTarget }) => currentTarget.form && void saveAsDraft(currentTarget.form)}
          >
            Save draft
          </Button>
          <Button type="submit" look="primary" isBusy={send.isRunning || sendDraft.isRunning || uploads.isUploading}>
            Send
          </Button>
        </Actions>
      </form>
    </>
  );
}
