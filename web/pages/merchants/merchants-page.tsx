import { useDeferredValue, useState } from "react";
import { Link } from "wouter";
import { Button } from "../../components/button.tsx";
import { countryName } from "../../components/countries.ts";
import { TextField } from "../../components/field.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { type ShopRowFragment, ShopsDocument } from "../../generated/graphql.ts";
import { ExploreDialog } from "./explore-dialog.tsx";
import { ProductSearch } from "./product-search.tsx";
import { shopPath } from "./shop-path.ts";

/** Shops that can be bought from, and what they sell. */
export default function MerchantsPage() {
  const [exploring, setExploring] = useState<{ readonly url: string; readonly goal: string } | null>(null);
  return (
    <>
      <PageTitle aside={<Button onClick={() => setExploring({ url: "", goal: "" })}>Explore a shop</Button>}>
        Shops
      </PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Your agent buys at these. A shop that is not among them is explored once, and can then be bought from.
      </p>
      <ProductSearch shop={null} onExplore={(url, goal) => setExploring({ url, goal })} />
      <ShopList />
      {exploring && <ExploreDialog {...exploring} onClose={() => setExploring(null)} />}
    </>
  );
}

function ShopList() {
  const [q, setQ] = useState("");
  const asked = useDeferredValue(q.trim());
  const list = usePagedList(ShopsDocument, { q: asked }, ({ merchants }) => merchants);
  return (
    <Section title="All shops">
      <div className="mb-4 max-w-sm">
        <TextField
          label="Name or address"
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
        empty={asked === "" ? "No shop can be bought from yet. Explore the first." : "No shop has that name."}
      >
        {(shops) => (
          <div aria-busy={list.isStale || undefined}>
            <Table caption="Shops, by name" columns={["Shop", "Country", "Currency", "An order’s price"]}>
              {shops.map((shop) => (
                <ShopEntry key={shop.id} shop={shop} />
              ))}
            </Table>
          </div>
        )}
      </ListOf>
    </Section>
  );
}

function ShopEntry({ shop }: { readonly shop: ShopRowFragment }) {
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <Link href={shopPath(shop.merchantId)} className="font-medium text-leather underline underline-offset-3">
          <bdi>{shop.name}</bdi>
        </Link>
        {shop.isTest && <span className="text-small text-muted"> (test shop)</span>}
        <span className="block font-mono text-small text-muted">{shop.domain}</span>
      </Cell>
      <Cell label="Country">{countryName(shop.countryCode)}</Cell>
      <Cell label="Currency">{shop.currency}</Cell>
      <Cell label="An order’s price">{shop.rail === "shopify" ? "asked from the shop" : "from its catalogue"}</Cell>
    </Row>
  );
}
