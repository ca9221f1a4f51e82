import { type FormEvent, useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { AccountsDocument } from "../../generated/graphql.ts";
import { AccountDialog } from "./account-dialog.tsx";

/** Accounts, newest first, with a search by exact identifiers. */
export function Accounts({ onActed }: { readonly onActed: () => void }) {
  const [text, setText] = useState("");
  const [search, setSearch] = useState("");
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const list = usePagedList(AccountsDocument, { search: search || null }, ({ accounts }) => accounts, { size: 10 });
  function finish() {
    list.again();
    onActed();
  }
  function find(event: FormEvent) {
    event.preventDefault();
    list.pages.reset();
    setSearch(text.trim());
  }
  return (
    <Section title="Accounts">
      <search>
        <form onSubmit={find}>
          <TextField
            label="Find an account"
            hint="Exact email address, account ID, subject, wallet address, mailbox address or agent ID."
            maxLength={300}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            aside={<Button type="submit">Find</Button>}
          />
        </form>
      </search>
      <div className="mt-4">
        <ListOf
          list={list}
          awaited={{ count: 3 }}
          empty={search ? "No account has this identifier." : "No accounts. New accounts appear here."}
        >
          {(accounts) => (
            <Table caption="Accounts, newest first" columns={["Account", "Status", "Created", "Action"]}>
              {accounts.map(({ accountId, email, displayName, createdAt, frozenBy }) => (
                <Row key={accountId}>
                  <Cell className="wrap-anywhere">
                    <span className="font-medium">{email ?? displayName ?? "No email address"}</span>
                    <span className="block font-mono text-small text-muted">{accountId}</span>
                  </Cell>
                  <Cell label="Status">
                    {frozenBy ? <Badge tone="bad">Frozen</Badge> : <Badge tone="good">Not frozen</Badge>}
                  </Cell>
                  <Cell label="Created">
                    <Time at={createdAt} />
                  </Cell>
                  <Cell>
                    <Button
                      size="small"
                      aria-label={`Open ${email ?? accountId}`}
                      onClick={() => setSelectedId(accountId)}
                    >
                      Open
                    </Button>
                  </Cell>
                </Row>
              ))}
            </Table>
          )}
        </ListOf>
      </div>
      {selectedId && (
        <AccountDialog key={selectedId} accountId={selectedId} onClose={() => setSelectedId(null)} onActed={finish} />
      )}
    </Section>
  );
}
