import { useQuery } from "urql";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { buttonClass } from "../../components/button.tsx";
import { Hash } from "../../components/hash.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import { OAuthClientsDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { clientPath } from "./client-path.ts";
import { ClientStatusBadge } from "./client-status.tsx";

const PAGE_SIZE = 20;

/** The applications this account registered. */
export default function DeveloperPage() {
  const pages = usePages();
  const [{ data, error }, refresh] = useQuery({
    query: OAuthClientsDocument,
    variables: { first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  const connection = data?.viewer?.oauthClients;
  const clients = connection?.edges.map(({ node }) => node);
  const failure = error && !connection && !isSignedOut(error) ? transportFailure(error) : null;
  return (
    <>
      <PageTitle
        aside={
          <Link href={PATHS.newClient} className={buttonClass("primary")}>
            Register an app
          </Link>
        }
      >
        Developer
      </PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Apps of yours that ask people for permission to pay. Each is reviewed before it may.
      </p>
      <div className="mt-6">
        <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
        {!clients && !failure && <SkeletonRows count={3} />}
        {clients?.length === 0 && (
          <Empty>You have registered no app yet. It takes three short steps; then it waits for approval.</Empty>
        )}
        {clients && clients.length > 0 && (
          <Table caption="Your apps" columns={["App", "Client id", "Status", "Registered"]}>
            {clients.map(({ id, clientId, status, app, createdAt }) => (
              <Row key={id}>
                <Cell>
                  <Link
                    href={clientPath(clientId)}
                    className="font-medium text-leather underline underline-offset-3 break-all"
                  >
                    {app.appName}
                  </Link>
                </Cell>
                <Cell label="Client id">
                  <Hash value={clientId} what="the client id" />
                </Cell>
                <Cell label="Status">
                  <ClientStatusBadge status={status} />
                </Cell>
                <Cell label="Registered">
                  <Time at={createdAt} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
        <Pager pages={pages} pageInfo={connection?.pageInfo} />
      </div>
    </>
  );
}
