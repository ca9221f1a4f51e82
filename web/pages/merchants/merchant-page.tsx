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
import { MerchantDocument, type MerchantQuery, type TaxPolicy } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { ProductSearch } from "./product-search.tsx";
import { ProductTable } from "./product-table.tsx";

type Merchant = NonNullable<MerchantQuery["merchant"]>;

const TAX: Readonly<Record<TaxPolicy, string>> = {
  INCLUDED: "Included in prices",
  ADDED: "Added at checkout",
  UNKNOWN: "Unknown. Assumed to be added at checkout",
};

/** One merchant: its terms, and its catalogue or product search. */
export default function MerchantPage({ params: { merchantId = "" } }: PageProps) {
  const [{ data, error, fetching }, refresh] = useQuery({ query: MerchantDocument, variables: { id: merchantId } });
  const merchant = data?.merchant;
  if (merchant) return <MerchantDetails merchant={merchant} />;
  if (fetching || isSignedOut(error)) return <PageSkeleton />;
  const failure = error?.networkError ? transportFailure(error) : null;
  return (
    <>
      <PageTitle>{failure ? "Merchant" : "Merchant not found"}</PageTitle>
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      {!failure && <Back />}
    </>
  );
}

function Back() {
  return (
    <Link href={PATHS.merchants} className="text-leather underline underline-offset-3">
      Merchants
    </Link>
  );
}

function MerchantDetails({ merchant }: { readonly merchant: Merchant }) {
  const { rail, shipsTo, supportsShipTo, supportsPickup } = merchant;
  return (
    <>
      <Back />
      <PageTitle aside={merchant.isTest && <Badge tone="caution">Sandbox</Badge>}>{merchant.name}</PageTitle>
      <div className="mt-4 max-w-2xl">
        <Facts>
          <Fact name="Website">
            <OutsideLink href={merchant.url}>{merchant.domain}</OutsideLink>
          </Fact>
          <Fact name="Country and currency">
            {merchant.countryCode === null ? "Unknown" : countryName(merchant.countryCode)}, {merchant.currency}
          </Fact>
          <Fact name="Pricing">
            {rail === "SHOPIFY"
              ? "Quoted by the merchant for each order, with delivery"
              : "Catalogue price, with a maximum for delivery and tax"}
          </Fact>
          <Fact name="Tax">{TAX[merchant.taxPolicy]}</Fact>
          <Fact name="Delivery countries">
            {shipsTo.length === 0 ? "Unknown" : shipsTo.map(countryName).join(", ")}
          </Fact>
          <Fact name="Delivery to other addresses">{supportsShipTo ? "Supported" : "Not supported"}</Fact>
          <Fact name="Pickup">{supportsPickup ? "Supported" : "Not supported"}</Fact>
        </Facts>
      </div>
      {rail === "SHOPIFY" ? <ProductSearch merchant={merchant} onExplore={null} /> : <Catalogue merchant={merchant} />}
    </>
  );
}

function Catalogue({ merchant }: { readonly merchant: Merchant }) {
  const [words, setWords] = useState("");
  const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = merchant.catalogue.filter(({ title, variantTitle, sku }) => {
    const text = `${title} ${variantTitle ?? ""} ${sku}`.toLowerCase();
    return terms.every((word) => text.includes(word));
  });
  return (
    <Section
      title="Catalogue"
      hint={
        merchant.catalogueUpdatedAt && (
          <>
            Read <Time at={merchant.catalogueUpdatedAt} />.
          </>
        )
      }
    >
      {merchant.catalogue.length === 0 ? (
        <Empty>No catalogue yet. Explore the merchant to read it.</Empty>
      ) : (
        <>
          <div className="mb-4 max-w-sm">
            <TextField
              label="Search catalogue"
              type="search"
              autoComplete="off"
              value={words}
              onChange={({ currentTarget }) => setWords(currentTarget.value)}
            />
          </div>
          {matches.length === 0 ? (
            <Empty>No matching products.</Empty>
          ) : (
            <ProductTable
              caption="Catalogue, by name"
              hasMerchantColumn={false}
              products={matches.map((product) => ({ ...product, merchant: null }))}
            />
          )}
        </>
      )}
    </Section>
  );
}
