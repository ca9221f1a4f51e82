import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { countryName } from "../../components/countries.ts";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { Cell, Fact, Facts, Row, Table } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  type ExploredMerchantDetailsFragment,
  ExploredMerchantsDocument,
  VetMerchantDocument,
} from "../../generated/graphql.ts";
import { useAct } from "./use-act.tsx";

/** Merchants that accounts explored, with the decision to admit each to the pool. */
export function ExploredMerchants() {
  const [selected, setSelected] = useState<ExploredMerchantDetailsFragment | null>(null);
  const list = usePagedList(ExploredMerchantsDocument, {}, ({ exploredMerchants }) => exploredMerchants);
  return (
    <Section title="Explored merchants">
      <ListOf list={list} awaited={{ count: 3 }} empty="No explored merchants. New explorations appear here.">
        {(merchants) => (
          <Table caption="Explored merchants, latest first" columns={["Merchant", "Products", "Explored", "Action"]}>
            {merchants.map((merchant) => (
              <Row key={merchant.id}>
                <Cell className="wrap-anywhere">
                  <bdi className="font-medium">{merchant.name}</bdi>
                  <span className="block font-mono text-small text-muted">{merchant.domain}</span>
                </Cell>
                <Cell label="Products">{merchant.productCount}</Cell>
                <Cell label="Explored">
                  <Time at={merchant.readAt} />
                </Cell>
                <Cell>
                  <Button size="small" aria-label={`Review ${merchant.name}`} onClick={() => setSelected(merchant)}>
                    Review
                  </Button>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </ListOf>
      {selected && (
        <VetDialog
          key={selected.id}
          merchant={selected}
          onClose={() => setSelected(null)}
          onVetted={() => {
            setSelected(null);
            list.again();
          }}
        />
      )}
    </Section>
  );
}

function VetDialog({
  merchant,
  onClose,
  onVetted,
}: {
  readonly merchant: ExploredMerchantDetailsFragment;
  readonly onClose: () => void;
  readonly onVetted: () => void;
}) {
  const toast = useToast();
  const vet = useAct(VetMerchantDocument, () => {
    toast(`${merchant.name} is in the pool.`);
    onVetted();
  });
  const admit = () => vet.run({ input: { id: merchant.id, ifReadAt: merchant.readAt } });
  return (
    <Dialog title={merchant.name} isOpen onClose={onClose}>
      <p className="text-small text-muted">
        {merchant.isPooled
          ? "The pool has this merchant. Its catalogue and checkout origins become available to every account."
          : "In the pool, every account sees this merchant and its cards are entered at these origins."}
      </p>
      <div className="mt-3">
        <Facts>
          <Fact name="Site">
            <bdi className="font-mono text-small wrap-anywhere">{merchant.url}</bdi>
          </Fact>
          <Fact name="Country, as stated">
            {merchant.countryCode === null ? "Unknown" : countryName(merchant.countryCode)}
          </Fact>
          <Fact name="Currency">{merchant.currency}</Fact>
          <Fact name="Checkout pages">
            <Origins origins={merchant.cardEntry.pageOrigins} />
          </Fact>
          <Fact name="Card frames">
            {merchant.cardEntry.frameOrigins ? (
              <Origins origins={merchant.cardEntry.frameOrigins} />
            ) : (
              "Known card processors"
            )}
          </Fact>
        </Facts>
      </div>
      <div className="mt-3">
        <FailureNotice failure={vet.failure} />
      </div>
      {vet.proof}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" isBusy={vet.isRunning} onClick={() => void admit()}>
          Add to pool
        </Button>
      </Actions>
    </Dialog>
  );
}

function Origins({ origins }: { readonly origins: readonly string[] }) {
  if (origins.length === 0) return "None";
  return origins.map((origin) => (
    <bdi key={origin} className="block font-mono text-small wrap-anywhere">
      {origin}
    </bdi>
  ));
}
