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
import { type ClientWithHistory, History } from "./history.tsx";
import { Integration } from "./integration.tsx";
import { KINDS } from "./kind-choice.tsx";
import { formatLifetime } from "./lifetime.ts";
import { TokenLifetime } from "./token-lifetime.tsx";

/** One OAuth client, for its owner. */
export default function ClientPage({ params: { clientId = "" } }: PageProps) {
  const [{ data, error, fetching }, refresh] = useQuery({
    query: OAuthClientDocument,
    variables: { id: clientId },
    requestPolicy: "cache-and-network",
  });
  const client = data?.oauthClient;
  if (client) return <ClientDetails client={client} />;
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
      <PageTitle>App not found</PageTitle>
      <p className="mt-2">
        Your account has no app with this ID.{" "}
        <Link href={PATHS.developer} className="text-leather underline underline-offset-3">
          View your apps
        </Link>
      </p>
    </>
  );
}

function ClientDetails({ client }: { readonly client: ClientWithHistory }) {
  return (
    <>
      <Link href={PATHS.developer} className="text-small text-leather underline underline-offset-3">
        Apps
      </Link>
      <PageTitle aside={<ClientStatusBadge status={client.status} />}>{client.app.appName}</PageTitle>
      <div className="mt-4 grid gap-4">
        <StatusNotice client={client} />
        <Facts>
          <Fact name="Client ID">
            <Hash value={client.clientId} what="the client ID" isWhole />
          </Fact>
          <Fact name="App type">{KINDS[client.kind].name}</Fact>
          <Fact name="Access tokens expire after">{formatLifetime(client.accessTokenLifetimeSeconds)}</Fact>
          <Fact name="Registered">
            <Time at={client.createdAt} />
          </Fact>
        </Facts>
      </div>
      {(client.kind === "CONFIDENTIAL" || client.kind === "AUTOMATION") && <ClientSecret client={client} />}
      <EditClient client={client} />
      {client.status !== "REVOKED" && <TokenLifetime client={client} />}
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
      <Notice tone="caution" title="Pending approval">
        Users cannot grant access to the app until it is approved. Its contacts are notified of the decision.
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={status === "REJECTED" ? "App rejected" : "App revoked permanently"}>
      {statusReason && <p className="whitespace-pre-line">{statusReason}</p>}
      {status === "REJECTED" && <p className="mt-1">Correct the registration and save it to request another review.</p>}
    </Notice>
  );
}
