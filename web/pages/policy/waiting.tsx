import { Link } from "wouter";
import { buttonClass } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Price } from "../../components/price.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import type { CheckoutPolicyQuery } from "../../generated/graphql.ts";
import { readPurchaseDocument } from "../approve/read-document.ts";

type Approval = NonNullable<CheckoutPolicyQuery["viewer"]>["purchaseApprovals"]["edges"][number]["node"];

/** Purchases outside of the policy that wait for their person. */
export function Waiting({ approvals }: { readonly approvals: readonly Approval[] }) {
  if (approvals.length === 0) return null;
  return (
    <Section title="Waiting for you">
      <Table caption="Purchases that wait, newest first" columns={["Purchase", "Amount", "Ends", ""]}>
        {approvals.map((approval) => (
          <Entry key={approval.id} approval={approval} />
        ))}
      </Table>
    </Section>
  );
}

function Entry({ approval }: { readonly approval: Approval }) {
  const document = readPurchaseDocument(approval.document);
  return (
    <Row>
      <Cell className="wrap-anywhere">
        {document ? (
          <>
            <bdi className="font-medium">{document.merchant.name}</bdi>, for <bdi>{document.asked_by}</bdi>
          </>
        ) : (
          "A purchase"
        )}
        <span className="block text-small text-muted">{approval.reasonText}</span>
      </Cell>
      <Cell label="Amount">
        {document && (
          <span>
            {!document.amount_is_final && "at most "}
            <Price amountMinor={document.amount_minor} currency={document.currency} />
          </span>
        )}
      </Cell>
      <Cell label="Ends" className="text-small">
        <Time at={approval.expiresAt} />
      </Cell>
      <Cell className="max-md:pt-1">
        <Link href={`/approve/${approval.approvalId}`} className={buttonClass("plain", "small")}>
          Look at it
        </Link>
      </Cell>
    </Row>
  );
}
