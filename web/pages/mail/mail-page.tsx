import { useState } from "react";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { buttonClass } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Segments } from "../../components/segments.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { MailboxDocument, type MailboxQuery } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { Drafts } from "./drafts.tsx";
import { MailSettings } from "./mail-settings.tsx";
import { OpenMailbox } from "./open-mailbox.tsx";
import { Threads } from "./threads.tsx";
import { useMailUpdates } from "./use-mail-updates.ts";

type OpenedMailbox = NonNullable<NonNullable<MailboxQuery["viewer"]>["mailbox"]>;

/** Mailbox of the agent with live updates. */
export default function MailPage() {
  const mail = useReading({ query: MailboxDocument }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again } = mail;
  const version = useMailUpdates(again);
  if (!viewer) {
    return failure ? (
      <>
        <PageTitle>Mail</PageTitle>
        <FailureNotice failure={failure} onRetry={again} />
      </>
    ) : (
      <PageSkeleton />
    );
  }
  const { mailbox, agent } = viewer;
  return mailbox ? (
    <OpenedMailboxView mailbox={mailbox} version={version} />
  ) : (
    <OpenMailbox agent={agent ?? null} onOpened={again} />
  );
}

type View = "threads" | "drafts" | "settings";

function OpenedMailboxView({ mailbox, version }: { readonly mailbox: OpenedMailbox; readonly version: number }) {
  const [view, setView] = useState<View>("threads");
  const { address, displayName, isActive, unreadCount } = mailbox;
  return (
    <>
      <PageTitle
        aside={
          isActive && (
            <Link href={PATHS.newMail} className={buttonClass("primary")}>
              Compose
            </Link>
          )
        }
      >
        Mail
      </PageTitle>
      <p className="mt-1 flex max-w-[72ch] flex-wrap items-center gap-x-2 text-muted">
        <span>{displayName}</span>
        <span className="inline-flex min-w-0 items-center gap-1">
          <span className="min-w-0 font-mono text-small break-all">{address}</span>
          <CopyButton text={address} what="the address" />
        </span>
      </p>
      {!isActive && (
        <div className="mt-4">
          <Notice tone="caution" title="Mailbox inactive">
            <p>
              The agent is not active, so its mailbox sends and receives no email.{" "}
              <Link href={PATHS.agent} className="text-leather underline underline-offset-3">
                View agent
              </Link>
            </p>
          </Notice>
        </div>
      )}
      <div className="mt-6 mb-4 flex">
        <Segments
          legend="View"
          value={view}
          onChange={setView}
          choices={[
            { value: "threads", text: unreadCount > 0 ? `Inbox (${unreadCount} unread)` : "Inbox" },
            { value: "drafts", text: "Drafts" },
            { value: "settings", text: "Settings" },
          ]}
        />
      </div>
      {view === "threads" && <Threads version={version} />}
      {view === "drafts" && <Drafts />}
      {view === "settings" && <MailSettings />}
    </>
  );
}
