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

/** OAuth clients registered by the account. */
export default function DeveloperPage() {
  const list = usePagedList(OAuthClientsDocument, {}, ({ viewer }) => viewer?.oauthClients);
  return (
    <>
      <PageTitle
        aside={
          <Link href={PATHS.newClient} className={buttonClass("primary")}>
            Register app
          </Link>
        }
      >
        Developer
      </PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Your apps that request payments from other users. Each app is reviewed before use.
      </p>
      <div className="mt-6">
        <ListOf
          list={list}
          awaited={{ count: 3 }}
          empty="No apps yet. Register an app in four steps. It is then reviewed."
        >
          {(clients) => (
            <Table caption="Your apps" columns={["App", "Client ID", "Status", "Registered"]}>
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
                  <Cell label="Client ID">
                    <Hash value={clientId} what="the client ID" />
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
