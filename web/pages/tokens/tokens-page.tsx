import { useState } from "react";
import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Table } from "../../components/list.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { useToast } from "../../components/toasts.tsx";
import { RevokeApiTokenDocument, type TokenRowFragment, TokensDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure, useOperation } from "../../graphql/use-operation.ts";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { TokenEntry } from "./token-entry.tsx";

const PAGE_SIZE = 20;

/** Long-lived credentials for programs, each with limits of its own. */
export default function TokensPage() {
  const pages = usePages();
  const [{ data, error }, refresh] = useQuery({
    query: TokensDocument,
    variables: { first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<TokenRowFragment | null>(null);
  const connection = data?.viewer?.apiTokens;
  const again = () => refresh({ requestPolicy: "network-only" });
  const failure = error && !connection && !isSignedOut(error) ? transportFailure(error) : null;
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
        A program pays with a token, within the token's limits and the account's. Give each program its own.
      </p>
      <FailureNotice failure={failure} onRetry={again} />
      {!connection && !failure && <SkeletonRows count={3} className="h-20" />}
      {connection?.edges.length === 0 && (
        <Empty>There is no token yet. Make one for the first program that is to pay.</Empty>
      )}
      {connection && connection.edges.length > 0 && (
        <Table caption="API tokens, newest first" columns={["Token", "Pays", "Used", ""]}>
          {connection.edges.map(({ node }) => (
            <TokenEntry key={node.id} token={node} onRevoke={() => setRevoking(node)} />
          ))}
        </Table>
      )}
      <Pager pages={pages} pageInfo={connection?.pageInfo} />
      {isCreating && <CreateTokenDialog onClose={() => setIsCreating(false)} onCreated={again} />}
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
    toast(`Revoked “${token.name}”. It pays for nothing more.`);
    onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Revoke “${token.name}”?`}
      description="Whatever uses it stops paying at once. Payments already signed may still settle. This cannot be undone."
      confirmText="Revoke the token"
      isBusy={revoke.isRunning}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <FailureNotice failure={revoke.failure} />
    </ConfirmDialog>
  );
}
