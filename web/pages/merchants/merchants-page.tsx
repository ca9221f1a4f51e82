import { useDeferredValue, useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";
import { Button } from "../../components/button.tsx";
import { countryName } from "../../components/countries.ts";
import { TextField } from "../../components/field.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { Section } from "../../components/section.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { type ShopRowFragment, ShopsDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { ExploreDialog } from "./explore-dialog.tsx";
import { ProductSearch } from "./product-search.tsx";
import { shopPath } from "./shop-path.ts";

const PAGE_SIZE = 20;

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
  const pages = usePages();
  const [{ data, error, stale }, refresh] = useQuery({
    query: ShopsDocument,
    variables: { q: asked, first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  const connection = data?.merchants;
  const shops = connection?.edges.map(({ node }) => node);
  const failure = error && !connection && !isSignedOut(error) ? transportFailure(error) : null;
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
            pages.reset();
            setQ(currentTarget.value);
          }}
        />
      </div>
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      {!shops && !failure && <SkeletonRows count={4} />}
      {shops?.length === 0 && (
        <Empty>{asked === "" ? "No shop can be bought from yet. Explore the first." : "No shop has that name."}</Empty>
      )}
      {shops && shops.length > 0 && (
        <div aria-busy={stale || undefined}>
          <Table caption="Shops, by name" columns={["Shop", "Country", "Currency", "An order’s price"]}>
            {shops.map((shop) => (
              <ShopEntry key={shop.id} shop={shop} />
            ))}
          </Table>
        </div>
      )}
      <Pager pages={pages} pageInfo={connection?.pageInfo} />
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
