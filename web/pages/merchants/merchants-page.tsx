import { useDeferredValue, useState } from "react";
import { Link } from "wouter";
import { Button } from "../../components/button.tsx";
import { countryName } from "../../components/countries.ts";
import { TextField } from "../../components/field.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { type MerchantRowFragment, MerchantsDocument } from "../../generated/graphql.ts";
import { ExploreDialog } from "./explore-dialog.tsx";
import { merchantPath } from "./merchant-path.ts";
import { ProductSearch } from "./product-search.tsx";

/** Merchants that agents can buy from, and a product search. */
export default function MerchantsPage() {
  const [exploring, setExploring] = useState<{ readonly url: string; readonly goal: string } | null>(null);
  return (
    <>
      <PageTitle aside={<Button onClick={() => setExploring({ url: "", goal: "" })}>Explore merchant</Button>}>
        Merchants
      </PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Your agent can buy from these merchants. Explore a merchant to add it for your account only.
      </p>
      <ProductSearch merchant={null} onExplore={(url, goal) => setExploring({ url, goal })} />
      <MerchantList />
      {exploring && <ExploreDialog {...exploring} onClose={() => setExploring(null)} />}
    </>
  );
}

function MerchantList() {
  const [q, setQ] = useState("");
  const query = useDeferredValue(q.trim());
  const list = usePagedList(MerchantsDocument, { q: query }, ({ merchants }) => merchants);
  return (
    <Section title="All merchants">
      <div className="mb-4 max-w-sm">
        <TextField
          label="Search by name or domain"
          type="search"
          autoComplete="off"
          maxLength={200}
          value={q}
          onChange={({ currentTarget }) => {
            list.pages.reset();
            setQ(currentTarget.value);
          }}
        />
      </div>
      <ListOf
        list={list}
        awaited={{ count: 4 }}
        empty={query === "" ? "No merchants yet. Explore a merchant to add it." : "No matching merchants."}
      >
        {(merchants) => (
          <div aria-busy={list.isStale || undefined}>
            <Table caption="Merchants, by name" columns={["Merchant", "Country", "Currency", "Pricing"]}>
              {merchants.map((merchant) => (
                <MerchantEntry key={merchant.id} merchant={merchant} />
              ))}
            </Table>
          </div>
        )}
      </ListOf>
    </Section>
  );
}

function MerchantEntry({ merchant }: { readonly merchant: MerchantRowFragment }) {
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <Link
          href={merchantPath(merchant.merchantId)}
          className="font-medium text-leather underline underline-offset-3"
        >
          <bdi>{merchant.name}</bdi>
        </Link>
        {merchant.isTest && <span className="text-small text-muted"> (sandbox)</span>}
        <span className="block font-mono text-small text-muted">{merchant.domain}</span>
        {!merchant.isPooled && <span className="block text-small text-caution">Explored by you, not verified</span>}
      </Cell>
      <Cell label="Country">{merchant.countryCode === null ? "Unknown" : countryName(merchant.countryCode)}</Cell>
      <Cell label="Currency">{merchant.currency}</Cell>
      <Cell label="Pricing">{merchant.rail === "SHOPIFY" ? "Merchant quote" : "Catalogue"}</Cell>
    </Row>
  );
}
