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

/** The way to a mailbox, or why there cannot be one yet. */
export function OpenMailbox({
  agent,
  onOpened,
}: {
  readonly agent: NonNullable<Agent> | null;
  readonly onOpened: () => void;
}) {
  const open = useOperation(OpenMailboxDocument);
  const obstacle = obstacleOf(agent);
  async function submit(form: FormData) {
    const displayName = String(form.get("displayName") ?? "").trim();
    const { value } = await open.run({ input: displayName ? { displayName } : {} });
    if (value) onOpened();
  }
  return (
    <>
      <PageTitle>Mail</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Your agent can have a mail address of its own: to receive receipts and answers, and to write to people. Letters
        are kept for 30 days.
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
              label="Name on its letters"
              hint={`Stands before the address. Left empty: Agent ${agent?.agentId ?? ""}.`}
              maxLength={100}
              autoComplete="off"
              error={failureAt(open.failure, "displayName")}
            />
            <FailureNotice failure={failureAt(open.failure, "displayName") ? null : open.failure} />
            <div>
              <Button type="submit" look="primary" isBusy={open.isRunning}>
                Open the mailbox
              </Button>
            </div>
          </form>
        )}
      </div>
    </>
  );
}

function obstacleOf(agent: Agent) {
  if (!agent) {
    return {
      title: "There is no agent yet",
      text: "It is registered soon after the first API token is made, or the first app is let in.",
      path: PATHS.tokens,
      link: "Make an API token",
    };
  }
  if (agent.status === "ACTIVE" && agent.agentId != null) return null;
  const isRevoked = agent.status === "REVOKED";
  return {
    title: isRevoked ? "The agent is revoked" : "The agent is being registered",
    text: isRevoked ? "It gets a mailbox once it is reinstated." : "It gets a mailbox once that is done.",
    path: PATHS.agent,
    link: "See the agent",
  };
}
