import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { type MailboxQuery, OpenMailboxDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";

type Agent = NonNullable<MailboxQuery["viewer"]>["agent"];

/** Form to open the mailbox, or the reason why it cannot be opened yet. */
export function OpenMailbox({
  agent,
  onOpened,
}: {
  readonly agent: NonNullable<Agent> | null;
  readonly onOpened: () => void;
}) {
  const open = useOperation(OpenMailboxDocument);
  const obstacle = findObstacle(agent);
  async function submit(form: FormData) {
    const displayName = String(form.get("displayName") ?? "").trim();
    const { value } = await open.run({ input: displayName ? { displayName } : {} });
    if (value) onOpened();
  }
  return (
    <>
      <PageTitle>Mail</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Your agent can have its own email address to send email and receive replies and receipts. Messages are retained
        for 30 days.
      </p>
      <div className="mt-6 max-w-lg">
        {obstacle ? (
          <Notice title={obstacle.title}>
            <p>{obstacle.text}</p>
            <Link href={obstacle.path} className="text-leather underline underline-offset-3">
              {obstacle.link}
            </Link>
          </Notice>
        ) : (
          <form
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              void submit(new FormData(event.currentTarget));
            }}
          >
            <TextField
              name="displayName"
              label="Display name"
              hint={`Shown before the address. Default: Agent ${agent?.agentId ?? ""}.`}
              maxLength={100}
              autoComplete="off"
              error={failureAt(open.failure, "displayName")}
            />
            <FailureNotice failure={failureAt(open.failure, "displayName") ? null : open.failure} />
            <div>
              <Button type="submit" look="primary" isBusy={open.isRunning}>
                Open mailbox
              </Button>
            </div>
          </form>
        )}
      </div>
    </>
  );
}

function findObstacle(agent: Agent) {
  if (!agent) {
    return {
      title: "No agent yet",
      text: "Satchel registers the agent after you create an API token or connect an app.",
      path: PATHS.tokens,
      link: "Create API token",
    };
  }
  if (agent.status === "ACTIVE" && agent.agentId != null) return null;
  const isRevoked = agent.status === "REVOKED";
  return {
    title: isRevoked ? "The agent is revoked" : "The agent is being registered",
    text: isRevoked
      ? "You can open a mailbox after the agent is reinstated."
      : "You can open a mailbox after registration.",
    path: PATHS.agent,
    link: "View agent",
  };
}
