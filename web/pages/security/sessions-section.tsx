import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  type SessionRowFragment,
  type SignInMethod,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { browserName } from "./browser-name.ts";

const METHODS: Readonly<Record<SignInMethod, string>> = {
  EMAIL_CODE: "email code",
  PASSKEY: "passkey",
  OIDC: "OpenID Connect",
};

export function SessionsSection({
  sessions,
  onChanged,
}: {
  readonly sessions: readonly SessionRowFragment[];
  readonly onChanged: () => void;
}) {
  const revokeOthers = useOperation(RevokeOtherSessionsDocument);
  const toast = useToast();
  const hasOthers = sessions.some((session) => !session.isCurrent && !hasSessionEnded(session));
  async function revokeOtherSessions() {
    const { value } = await revokeOthers.run({});
    if (!value) return;
    toast(`${value.revokedCount} ${value.revokedCount === 1 ? "session" : "sessions"} ended.`);
    onChanged();
  }
  return (
    <Section
      title="Sessions"
      hint="Browsers signed in to this account. End any session you do not recognise."
      aside={
        hasOthers && (
          <Button size="small" isBusy={revokeOthers.isRunning} onClick={() => void revokeOtherSessions()}>
            End all other sessions
          </Button>
        )
      }
    >
      <FailureNotice failure={revokeOthers.failure} />
      <Table caption="Sessions, newest first" columns={["Browser", "Last seen", ""]}>
        {sessions.map((session) => (
          <SessionEntry key={session.id} session={session} />
        ))}
      </Table>
    </Section>
  );
}

function hasSessionEnded({ revokedAt, expiresAt }: SessionRowFragment): boolean {
  return revokedAt !== null || new Date(expiresAt) < new Date();
}

function SessionEntry({ session }: { readonly session: SessionRowFragment }) {
  const revoke = useOperation(RevokeSessionDocument);
  const name = browserName(session.userAgent);
  const hasEnded = hasSessionEnded(session);
  return (
    <Row className={`max-md:grid-cols-[minmax(0,1fr)_auto] ${hasEnded ? "text-muted" : ""}`}>
      <Cell className="max-md:col-span-2">
        <span className="font-medium" title={session.userAgent ?? undefined}>
          {name}
        </span>
        <span className="block text-small text-muted">
          Signed in <Time at={session.createdAt} /> by {METHODS[session.method]}
          {session.ipAddress && `, from ${session.ipAddress}`}
        </span>
      </Cell>
      <Cell className="text-small">
        <span className="text-muted md:hidden">Last seen </span>
        <Time at={session.lastSeenAt} />
      </Cell>
      <Cell>
        {session.isCurrent ? (
          <Badge tone="good">This browser</Badge>
        ) : hasEnded ? (
          <Badge tone="muted">Ended</Badge>
        ) : (
          <Button
            size="small"
            isBusy={revoke.isRunning}
            aria-label={`End session of ${name}`}
            onClick={() => void revoke.run({ input: { id: session.id } })}
          >
            End
          </Button>
        )}
        <FailureNotice failure={revoke.failure} />
      </Cell>
    </Row>
  );
}
