import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { buttonClass } from "../../components/button.tsx";
import { Hash } from "../../components/hash.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Time } from "../../components/time.tsx";
import { OAuthClientsDocument } from "../../generated/graphql.ts";
import { clientPath } from "./client-path.ts";
import { ClientStatusBadge } from "./client-status.tsx";

/** The applications this account registered. */
export default function DeveloperPage() {
  const list = usePagedList(OAuthClientsDocument, {}, ({ viewer }) => viewer?.oauthClients);
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
        <ListOf
          list={list}
          awaited={{ count: 3 }}
          empty="You have registered no app yet. It takes four short steps; then it waits for approval."
        >
          {(clients) => (
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
        </ListOf>
      </div>
    </>
  );
}
