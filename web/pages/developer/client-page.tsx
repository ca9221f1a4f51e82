import { useQuery } from "urql";
import { Link } from "wouter";
import type { PageProps } from "../../app/page-props.ts";
import { PATHS } from "../../app/paths.ts";
import { Hash } from "../../components/hash.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Section } from "../../components/section.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import { type OAuthClientDetailsFragment, OAuthClientDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { ClientSecret } from "./client-secret.tsx";
import { ClientStatusBadge } from "./client-status.tsx";
import { ClientSwitches } from "./client-switches.tsx";
import { EditClient } from "./edit-client.tsx";
import { History } from "./history.tsx";
import { Integration } from "./integration.tsx";
import { KINDS } from "./kind-choice.tsx";

/** One application, for its owner. */
export default function ClientPage({ params: { clientId = "" } }: PageProps) {
  const [{ data, error, fetching }, refresh] = useQuery({
    query: OAuthClientDocument,
    variables: { clientId },
    requestPolicy: "cache-and-network",
  });
  const client = data?.viewer?.oauthClient;
  if (client) return <Client client={client} />;
  const failure = error && !isSignedOut(error) ? transportFailure(error) : null;
  if (failure) {
    return (
      <>
        <PageTitle>App</PageTitle>
        <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      </>
    );
  }
  if (fetching || !data) return <PageSkeleton />;
  return (
    <>
      <PageTitle>There is no such app</PageTitle>
      <p className="mt-2">
        You registered none with this id.{" "}
        <Link href={PATHS.developer} className="text-leather underline underline-offset-3">
          See those you did
        </Link>
        .
      </p>
    </>
  );
}

function Client({ client }: { readonly client: OAuthClientDetailsFragment }) {
  return (
    <>
      <Link href={PATHS.developer} className="text-small text-leather underline underline-offset-3">
        All your apps
      </Link>
      <PageTitle aside={<ClientStatusBadge status={client.status} />}>{client.app.appName}</PageTitle>
      <div className="mt-4 grid gap-4">
        <StatusNotice client={client} />
        <Facts>
          <Fact name="Client id">
            <Hash value={client.clientId} what="the client id" isWhole />
          </Fact>
          <Fact name="Where it runs">{KINDS[client.kind].name}</Fact>
          <Fact name="Registered">
            <Time at={client.createdAt} />
          </Fact>
        </Facts>
      </div>
      <ClientSecret client={client} />
      <EditClient client={client} />
      <ClientSwitches client={client} />
      <Integration client={client} />
      <Section title="History">
        <History reviews={client.reviews} />
      </Section>
    </>
  );
}

function StatusNotice({ client: { status, statusReason } }: { readonly client: OAuthClientDetailsFragment }) {
  if (status === "APPROVED") return null;
  if (status === "PENDING_APPROVAL") {
    return (
      <Notice tone="caution" title="It waits for approval">
        Until then nobody can allow it anything. Its contacts hear of the decision.
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={status === "REJECTED" ? "It was rejected" : "It was revoked for good"}>
      {statusReason && <p className="whitespace-pre-line">{statusReason}</p>}
      {status === "REJECTED" && <p className="mt-1">Change what is wrong and save: it is then reviewed again.</p>}
    </Notice>
  );
}
