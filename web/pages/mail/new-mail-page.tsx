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
  KeepMailDraftDocument,
  MailboxDocument,
  MailDraftDocument,
  type MailDraftRowFragment,
  SendMailDocument,
  SendMailDraftDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { FileField } from "./letter-fields.tsx";
import { threadPath } from "./mail-words.ts";
import { OpenMailbox } from "./open-mailbox.tsx";
import { isQueued, readAddresses, sentText } from "./send-outcome.ts";
import { useUploads } from "./use-uploads.ts";

/** A letter to whom one likes, once there is a mailbox to write it from. */
export default function NewMailPage() {
  const mail = useReading({ query: MailboxDocument }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again } = mail;
  if (viewer) return viewer.mailbox ? <NewOrDraft /> : <OpenMailbox agent={viewer.agent ?? null} onOpened={again} />;
  if (!failure) return <PageSkeleton />;
  return (
    <>
      <PageTitle>Write a letter</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
    </>
  );
}

/** A new letter, or the draft in the address. */
function NewOrDraft() {
  const draftId = new URLSearchParams(useSearch()).get("draft");
  const [{ data, fetching }] = useQuery({
    query: MailDraftDocument,
    variables: { id: draftId ?? "" },
    pause: draftId === null,
    requestPolicy: "network-only",
  });
  const draft = data?.node?.__typename === "MailDraft" ? data.node : null;
  if (draftId !== null && !draft && (fetching || !data)) return <PageSkeleton />;
  return <Letter key={draft?.id ?? ""} draft={draft} />;
}

function Letter({ draft }: { readonly draft: MailDraftRowFragment | null }) {
  const [, navigate] = useLocation();
  const toast = useToast();
  const uploads = useUploads(draft?.attachments ?? []);
  const send = useOperation(SendMailDocument);
  const sendDraft = useOperation(SendMailDraftDocument);
  const keep = useOperation(KeepMailDraftDocument);
  const change = useOperation(ChangeMailDraftDocument);
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const failure = send.failure ?? sendDraft.failure ?? keep.failure ?? change.failure;
  const at = (field: string) => failureAt(failure, field);

  function written(form: HTMLFormElement) {
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
  async function sendIt(form: HTMLFormElement) {
    keep.clear();
    change.clear();
    const letter = written(form);
    // A draft may answer a letter: sent as what it is, it joins that thread.
    if (draft && (await change.run({ input: { ...letter, draftId: draft.draftId } })).error) return;
    const { value, error } = draft
      ? await sendDraft.run({ input: { draftId: draft.draftId, idempotencyKey } })
      : await send.run({ input: { ...letter, idempotencyKey } });
    if (error && !isQueued(error)) return;
    toast(sentText(error, letter.to.join(", ")), error ? "bad" : "good");
    navigate(value ? threadPath(value.mailMessage.thread.threadId) : PATHS.mail);
  }
  async function keepIt(form: HTMLFormElement) {
    send.clear();
    sendDraft.clear();
    const letter = written(form);
    const { error } = draft
      ? await change.run({ input: { ...letter, draftId: draft.draftId } })
      : await keep.run({ input: letter });
    if (error) return;
    toast("Kept as a draft.");
    navigate(PATHS.mail);
  }
  return (
    <>
      <Link href={PATHS.mail} className="text-small text-leather underline underline-offset-3">
        All letters
      </Link>
      <PageTitle>{draft ? "Go on writing" : "Write a letter"}</PageTitle>
      <form
        className="mt-6 grid max-w-2xl gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void sendIt(event.currentTarget);
        }}
      >
        <TextField
          name="to"
          label="To"
          hint="Mail addresses, apart by commas."
          autoComplete="off"
          inputMode="email"
          defaultValue={draft?.to.join(", ")}
          error={at("to")}
        />
        <TextField
          name="cc"
          label="Copy to"
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
        <TextArea name="body" label="Text" rows={12} defaultValue={draft?.body} error={at("body")} />
        <FileField uploads={uploads} />
        <FailureNotice failure={["to", "cc", "subject", "body"].some(at) ? null : failure} />
        <Actions>
          <Button
            isBusy={keep.isRunning || change.isRunning}
            onClick={({ currentTarget }) => currentTarget.form && void keepIt(currentTarget.form)}
          >
            Keep as a draft
          </Button>
          <Button type="submit" look="primary" isBusy={send.isRunning || sendDraft.isRunning || uploads.isUploading}>
            Send it
          </Button>
        </Actions>
      </form>
    </>
  );
}
