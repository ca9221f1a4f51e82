import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import { OAuthBlockedDomainsDocument, SetOAuthDomainBlockDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useAct } from "./use-act.tsx";

/** Blocks of domains whose apps identify themselves by a metadata document. */
export function BlockedDomains({ onActed }: { readonly onActed: () => void }) {
  const [domain, setDomain] = useState("");
  const [reason, setReason] = useState("");
  const toast = useToast();
  const { shown, failure, again } = useReading(
    { query: OAuthBlockedDomainsDocument },
    ({ oauthBlockedDomains }) => oauthBlockedDomains ?? undefined,
  );
  const act = useAct(SetOAuthDomainBlockDocument, ({ block }) => {
    toast(block ? "The domain is blocked." : "The domain is no longer blocked.");
    setDomain("");
    setReason("");
    again();
    onActed();
  });
  const set = (name: string, isBlocked: boolean) => void act.run({ input: { domain: name, isBlocked, reason } });
  const domainFailure = failureAt(act.failure, "domain");
  const reasonFailure = failureAt(act.failure, "reason");
  return (
    <Section
      title="Blocked domains of apps"
      hint="Apps that identify themselves by a metadata document of a blocked domain or its subdomains lose all access."
    >
      <FailureNotice failure={failure} onRetry={again} />
      <form
        noValidate
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          set(domain, true);
        }}
      >
        <TextField
          label="Domain"
          value={domain}
          maxLength={253}
          error={domainFailure}
          onChange={({ currentTarget }) => setDomain(currentTarget.value)}
        />
        <TextField
          label="Reason for the block"
          hint="Recorded with the act, also when a block is ended."
          value={reason}
          maxLength={1_000}
          error={reasonFailure}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <div>
          <Button type="submit" look="danger" isBusy={act.isRunning}>
            Block domain
          </Button>
        </div>
      </form>
      <FailureNotice failure={domainFailure || reasonFailure ? null : act.failure} />
      {shown && shown.length > 0 && (
        <div className="mt-4">
          <Table caption="Blocked domains" columns={["Domain", "Reason", "Since", "Action"]}>
            {shown.map((block) => (
              <Row key={block.domain}>
                <Cell className="font-mono wrap-anywhere">{block.domain}</Cell>
                <Cell label="Reason">{block.reason}</Cell>
                <Cell label="Since">
                  <Time at={block.createdAt} />
                </Cell>
                <Cell>
                  <Button
                    size="small"
                    aria-label={`Unblock ${block.domain}`}
                    isBusy={act.isRunning}
                    onClick={() => set(block.domain, false)}
                  >
                    Unblock
                  </Button>
                </Cell>
              </Row>
            ))}
          </Table>
        </div>
      )}
      {act.proof}
    </Section>
  );
}
