import { type FormEvent, type ReactNode, useState } from "react";
import { useClient } from "urql";
import { Link } from "wouter";
import { Button } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import {
  FindProductsDocument,
  type FoundProductRowFragment,
  type LookedUpProductFragment,
  LookUpProductDocument,
} from "../../generated/graphql.ts";
import { type Failure, matchResult } from "../../graphql/match-result.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { type ProductEntry, ProductTable } from "./product-table.tsx";
import { MARKETS, marketOf, ownMarket, readWish } from "./read-search.ts";
import { shopPath } from "./shop-path.ts";

interface Found {
  readonly products: readonly ProductEntry[];
  /** How wide was searched, and what the prices leave out. */
  readonly notes: readonly string[];
}

type Explore = (url: string, goal: string) => void;

interface Props {
  /** Searched alone; null: all shops, or one product by its page's address. */
  readonly shop: { readonly merchantId: string; readonly countryCode: string } | null;
  /** Null: what is found can be bought. */
  readonly onExplore: Explore | null;
}

/** Products as the shops offer them now. */
export function ProductSearch({ shop, onExplore }: Props) {
  const client = useClient();
  const [written, setWritten] = useState("");
  const [country, setCountry] = useState(() => (shop && marketOf(shop.countryCode)) ?? ownMarket(navigator.languages));
  const [isRunning, setIsRunning] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function find(event: FormEvent) {
    event.preventDefault();
    if (isRunning) return;
    setIsRunning(true);
    setFailure(null);
    setFound(null);
    const wish = shop ? { q: written.trim() } : readWish(written);
    const outcome = "url" in wish ? await lookUp(wish.url) : await search(wish.q);
    if ("failure" in outcome) setFailure(outcome.failure);
    else setFound(outcome);
    setIsRunning(false);
  }
  async function search(q: string): Promise<Found | { readonly failure: Failure }> {
    const asked = client.query(
      FindProductsDocument,
      { q, country, merchantId: shop?.merchantId ?? null },
      { requestPolicy: "network-only" },
    );
    const { data, error } = await asked.toPromise();
    if (!data) return { failure: transportFailure(error) };
    const result = data.productSearch && matchResult(data.productSearch);
    if (!result) return { failure: transportFailure(error) };
    if (!result.ok) return { failure: result.error };
    const { products, priceNote, shopsSearched } = result.value;
    const searched = `${shopsSearched} ${shopsSearched === 1 ? "shop was" : "shops were"} searched.`;
    return {
      products: products.map((product) => entryOfFound(product, onExplore)),
      notes: shop ? [priceNote] : [searched, priceNote],
    };
  }
  async function lookUp(url: string): Promise<Found | { readonly failure: Failure }> {
    const asked = client.query(LookUpProductDocument, { url }, { requestPolicy: "network-only" });
    const { data, error } = await asked.toPromise();
    const result = data?.productLookup && matchResult(data.productLookup);
    if (!result) return { failure: transportFailure(error) };
    if (!result.ok) return { failure: result.error };
    const { variantNote, priceNote } = result.value;
    return {
      products: [entryOfLookedUp(result.value, onExplore)],
      notes: [...(variantNote === null ? [] : [variantNote]), priceNote],
    };
  }

  return (
    <Section
      title="Find a product"
      hint={shop ? "As the shop offers it now." : "In all of these shops, or by the address of its page."}
    >
      <form
        onSubmit={(event) => void find(event)}
        className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_auto]"
      >
        <TextField
          label="What you look for"
          type="search"
          required
          maxLength={2_048}
          autoComplete="off"
          placeholder={shop ? "wool socks" : "wool socks, or https://…"}
          value={written}
          onChange={({ currentTarget }) => setWritten(currentTarget.value)}
        />
        <SelectField label="Country" value={country} onChange={({ currentTarget }) => setCountry(currentTarget.value)}>
          {MARKETS.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button type="submit" look="primary" isBusy={isRunning}>
          {isRunning ? "Searching…" : "Find"}
        </Button>
      </form>
      <div className="mt-4">
        <FailureNotice failure={failure} />
        <div role="status">
          {found && <p className="mb-2 text-small text-muted">{found.notes.join(" ")}</p>}
          {found?.products.length === 0 && (
            <Empty>Nothing like it is on sale {shop ? "here" : "in these shops"} now.</Empty>
          )}
        </div>
        {failure?.code === "not_shopify" && onExplore && (
          <Button size="small" className="mt-2" onClick={() => onExplore(written.trim(), "")}>
            Explore the shop
          </Button>
        )}
        {found && found.products.length > 0 && (
          <ProductTable caption="Found, the cheapest first" products={found.products} hasShops={shop === null} />
        )}
      </div>
    </Section>
  );
}

function entryOfFound(product: FoundProductRowFragment, onExplore: Explore | null): ProductEntry {
  const { merchant, title } = product;
  const { merchantId, name, isOnboarded, isTest } = merchant;
  const shop = isOnboarded ? (
    <ShopLink merchantId={merchantId} name={name} isTest={isTest} />
  ) : (
    <Unknown name={name} onExplore={onExplore && (() => onExplore(product.productUrl, title))} />
  );
  return { ...product, shop };
}

function entryOfLookedUp(product: LookedUpProductFragment, onExplore: Explore | null): ProductEntry {
  const { merchant, shopName, title, productUrl } = product;
  const shop = merchant?.isOnboarded ? (
    <ShopLink merchantId={merchant.merchantId} name={merchant.name} isTest={false} />
  ) : (
    <Unknown name={shopName} onExplore={onExplore && (() => onExplore(productUrl, title))} />
  );
  return { ...product, shop };
}

function ShopLink({
  merchantId,
  name,
  isTest,
}: {
  readonly merchantId: string;
  readonly name: string;
  readonly isTest: boolean;
}): ReactNode {
  return (
    <span className="wrap-anywhere">
      <Link href={shopPath(merchantId)} className="text-leather underline underline-offset-3">
        <bdi>{name}</bdi>
      </Link>
      {isTest && <span className="text-small text-muted"> (test shop)</span>}
    </span>
  );
}

/** Nothing was ever bought there. */
function Unknown({ name, onExplore }: { readonly name: string; readonly onExplore: (() => void) | null }): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
      <bdi>{name}</bdi>
      {onExplore && (
        <Button size="small" aria-label={`Explore it first: ${name}`} onClick={onExplore}>
          Explore it first
        </Button>
      )}
    </span>
  );
}
