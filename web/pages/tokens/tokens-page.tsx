import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Table } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { useToast } from "../../components/toasts.tsx";
import { RevokeApiTokenDocument, type TokenRowFragment, TokensDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { ChangeCardBudget } from "./change-card-budget.tsx";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { TokenEntry } from "./token-entry.tsx";

/** Long-lived credentials for programs, each with its own limits. */
export default function TokensPage() {
  const list = usePagedList(TokensDocument, {}, ({ viewer }) => viewer?.apiTokens);
  const [isCreating, setIsCreating] = useState(false);
  const [changing, setChanging] = useState<TokenRowFragment | null>(null);
  const [revoking, setRevoking] = useState<TokenRowFragment | null>(null);
  return (
    <>
      <PageTitle
        aside={
          <Button look="primary" onClick={() => setIsCreating(true)}>
            New token
          </Button>
        }
      >
        API tokens
      </PageTitle>
      <p className="mt-1 mb-6 max-w-[72ch] text-muted">
        Programs authenticate and pay with API tokens, within the limits of the token and the account. Create one token
        per program.
      </p>
      <ListOf
        list={list}
        awaited={{ count: 3, className: "h-20" }}
        empty="No tokens yet. Create a token to let a program pay."
      >
        {(tokens) => (
          <Table caption="API tokens, newest first" columns={["Token", "Spending", "Last used", ""]}>
            {tokens.map((token) => (
              <TokenEntry
                key={token.id}
                token={token}
                onChangeCardBudget={() => setChanging(token)}
                onRevoke={() => setRevoking(token)}
              />
            ))}
          </Table>
        )}
      </ListOf>
      {isCreating && <CreateTokenDialog onClose={() => setIsCreating(false)} onCreated={list.again} />}
      {changing && <ChangeCardBudget token={changing} onClose={() => setChanging(null)} />}
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function RevokeDialog({ token, onClose }: { readonly token: TokenRowFragment; readonly onClose: () => void }) {
  const revoke = useOperation(RevokeApiTokenDocument);
  const toast = useToast();
  async function confirm() {
    const { value } = await revoke.run({ input: { id: token.id } });
    if (!value) return;
    toast(`Token “${token.name}” revoked.`);
    onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Revoke “${token.name}”?`}
      description="Programs that use this token can no longer pay. Payments already signed may still settle. This cannot be undone."
      confirmText="Revoke token"
      isBusy={revoke.isRunning}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <FailureNotice failure={revoke.failure} />
    </ConfirmDialog>
  );
}
