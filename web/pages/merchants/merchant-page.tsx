import { useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";
import type { PageProps } from "../../app/page-props.ts";
import { PATHS } from "../../app/paths.ts";
import { Badge } from "../../components/badge.tsx";
import { countryName } from "../../components/countries.ts";
import { TextField } from "../../components/field.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { OutsideLink } from "../../components/outside-link.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Section } from "../../components/section.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import { ShopDocument, type ShopQuery, type TaxPolicy } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { ProductSearch } from "./product-search.tsx";
import { ProductTable } from "./product-table.tsx";

type Shop = NonNullable<ShopQuery["merchant"]>;

const TAX: Readonly<Record<TaxPolicy, string>> = {
  included: "in its prices",
  added: "added at its checkout",
  unknown: "not known; taken as added at its checkout",
};

/** One shop: how it is bought from, and its catalogue where it has one here. */
export default function MerchantPage({ params: { merchantId = "" } }: PageProps) {
  const [{ data, error, fetching }, refresh] = useQuery({ query: ShopDocument, variables: { merchantId } });
  const shop = data?.merchant;
  if (shop) return <Shown shop={shop} />;
  if (fetching || isSignedOut(error)) return <PageSkeleton />;
  const failure = error?.networkError ? transportFailure(error) : null;
  return (
    <>
      <PageTitle>{failure ? "Shop" : "There is no such shop"}</PageTitle>
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      {!failure && <Back />}
    </>
  );
}

function Back() {
  return (
    <Link href={PATHS.merchants} className="text-leather underline underline-offset-3">
      All shops
    </Link>
  );
}

function Shown({ shop }: { readonly shop: Shop }) {
  const { rail, shipsTo, supportsShipTo, supportsPickup } = shop;
  return (
    <>
      <Back />
      <PageTitle aside={shop.isTest && <Badge tone="caution">Test shop, no real money</Badge>}>{shop.name}</PageTitle>
      <div className="mt-4 max-w-2xl">
        <Facts>
          <Fact name="Site">
            <OutsideLink href={shop.url}>{shop.domain}</OutsideLink>
          </Fact>
          <Fact name="In">
            {countryName(shop.countryCode)}, {shop.currency}
          </Fact>
          <Fact name="An order’s price">
            {rail === "shopify"
              ? "asked from the shop each time, delivery included"
              : "from its catalogue, with a ceiling for the rest"}
          </Fact>
          <Fact name="Tax">{TAX[shop.taxPolicy]}</Fact>
          <Fact name="Sends to">{shipsTo.length === 0 ? "not known" : shipsTo.map(countryName).join(", ")}</Fact>
          <Fact name="Other addresses than yours">{supportsShipTo ? "possible" : "not possible"}</Fact>
          <Fact name="Collecting">{supportsPickup ? "possible" : "not possible"}</Fact>
        </Facts>
      </div>
      {rail === "shopify" ? <ProductSearch shop={shop} onExplore={null} /> : <Catalogue shop={shop} />}
    </>
  );
}

function Catalogue({ shop }: { readonly shop: Shop }) {
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = shop.catalogue.filter(({ title, variantTitle, sku }) => {
    const text = `${title} ${variantTitle ?? ""} ${sku}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return (
    <Section
      title="Catalogue"
      hint={
        shop.catalogueUpdatedAt && (
          <>
            As it was read <Time at={shop.catalogueUpdatedAt} />.
          </>
        )
      }
    >
      {shop.catalogue.length === 0 ? (
        <Empty>None was read yet.</Empty>
      ) : (
        <>
          <div className="mb-4 max-w-sm">
            <TextField
              label="Words in it"
              type="search"
              autoComplete="off"
              value={words}
              onChange={({ currentTarget }) => setWords(currentTarget.value)}
            />
          </div>
          {shown.length === 0 ? (
            <Empty>Nothing in it has these words.</Empty>
          ) : (
            <ProductTable
              caption="Catalogue, by name"
              hasShops={false}
              products={shown.map((product) => ({ ...product, shop: null }))}
            />
          )}
        </>
      )}
    </Section>
  );
}
