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
import { merchantPath } from "./merchant-path.ts";
import { type ProductEntry, ProductTable } from "./product-table.tsx";
import { browserMarket, findMarket, MARKETS, readSearch } from "./read-search.ts";

interface SearchResult {
  readonly products: readonly ProductEntry[];
  /** Number of merchants searched, and costs that the prices exclude. */
  readonly notes: readonly string[];
}

type Explore = (url: string, goal: string) => void;

interface Props {
  /** Merchant to search. Null searches all merchants and accepts the URL of a product page. */
  readonly merchant: { readonly merchantId: string; readonly countryCode: string | null } | null;
  /** Called to explore a merchant. Null if all results can be bought. */
  readonly onExplore: Explore | null;
}

/** Live product search across merchants. */
export function ProductSearch({ merchant, onExplore }: Props) {
  const client = useClient();
  const [input, setInput] = useState("");
  const [country, setCountry] = useState(
    () => (merchant?.countryCode ? findMarket(merchant.countryCode) : null) ?? browserMarket(navigator.languages),
  );
  const [isRunning, setIsRunning] = useState(false);
  const [results, setResults] = useState<SearchResult | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function find(event: FormEvent) {
    event.preventDefault();
    if (isRunning) return;
    setIsRunning(true);
    setFailure(null);
    setResults(null);
    const target = merchant ? { q: input.trim() } : readSearch(input);
    const outcome = "url" in target ? await lookUp(target.url) : await search(target.q);
    if ("failure" in outcome) setFailure(outcome.failure);
    else setResults(outcome);
    setIsRunning(false);
  }
  async function search(q: string): Promise<SearchResult | { readonly failure: Failure }> {
    const request = client.query(
      FindProductsDocument,
      { q, country, merchantId: merchant?.merchantId ?? null },
      { requestPolicy: "network-only" },
    );
    const { data, error } = await request.toPromise();
    if (!data) return { failure: transportFailure(error) };
    const result = data.productSearch && matchResult(data.productSearch);
    if (!result) return { failure: transportFailure(error) };
    if (!result.ok) return { failure: result.error };
    const { products, priceNote, shopsSearched } = result.value;
    const searched = `${shopsSearched} ${shopsSearched === 1 ? "merchant was" : "merchants were"} searched.`;
    return {
      products: products.map((product) => entryFromSearch(product, onExplore)),
      notes: merchant ? [priceNote] : [searched, priceNote],
    };
  }
  async function lookUp(url: string): Promise<SearchResult | { readonly failure: Failure }> {
    const request = client.query(LookUpProductDocument, { url }, { requestPolicy: "network-only" });
    const { data, error } = await request.toPromise();
    const result = data?.productLookup && matchResult(data.productLookup);
    if (!result) return { failure: transportFailure(error) };
    if (!result.ok) return { failure: result.error };
    const { variantNote, priceNote } = result.value;
    return {
      products: [entryFromLookup(result.value, onExplore)],
      notes: [...(variantNote === null ? [] : [variantNote]), priceNote],
    };
  }

  return (
    <Section
      title="Product search"
      hint={merchant ? "Current offers of this merchant." : "Search all merchants, or enter the URL of a product page."}
    >
      <form
        onSubmit={(event) => void find(event)}
        className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_auto]"
      >
        <TextField
          label="Search term"
          type="search"
          required
          maxLength={2_048}
          autoComplete="off"
          placeholder={merchant ? "wool socks" : "wool socks, or https://…"}
          value={input}
          onChange={({ currentTarget }) => setInput(currentTarget.value)}
        />
        <SelectField label="Country" value={country} onChange={({ currentTarget }) => setCountry(currentTarget.value)}>
          {MARKETS.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button type="submit" look="primary" isBusy={isRunning}>
          {isRunning ? "Searching…" : "Search"}
        </Button>
      </form>
      <div className="mt-4">
        <FailureNotice failure={failure} />
        <div role="status">
          {results && <p className="mb-2 text-small text-muted">{results.notes.join(" ")}</p>}
          {results?.products.length === 0 && <Empty>No products found.</Empty>}
        </div>
        {failure?.code === "NOT_SHOPIFY" && onExplore && (
          <Button size="small" className="mt-2" onClick={() => onExplore(input.trim(), "")}>
            Explore merchant
          </Button>
        )}
        {results && results.products.length > 0 && (
          <ProductTable
            caption="Results, cheapest first"
            products={results.products}
            hasMerchantColumn={merchant === null}
          />
        )}
      </div>
    </Section>
  );
}

function entryFromSearch(product: FoundProductRowFragment, onExplore: Explore | null): ProductEntry {
  const { merchant, title } = product;
  const { merchantId, name, isOnboarded, isTest } = merchant;
  const merchantNode = isOnboarded ? (
    <MerchantLink merchantId={merchantId} name={name} isTest={isTest} />
  ) : (
    <UnexploredMerchant name={name} onExplore={onExplore && (() => onExplore(product.productUrl, title))} />
  );
  return { ...product, merchant: merchantNode };
}

function entryFromLookup(product: LookedUpProductFragment, onExplore: Explore | null): ProductEntry {
  const { merchant, shopName, title, productUrl } = product;
  const merchantNode = merchant?.isOnboarded ? (
    <MerchantLink merchantId={merchant.merchantId} name={merchant.name} isTest={false} />
  ) : (
    <UnexploredMerchant name={shopName} onExplore={onExplore && (() => onExplore(productUrl, title))} />
  );
  return { ...product, merchant: merchantNode };
}

function MerchantLink({
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
      <Link href={merchantPath(merchantId)} className="text-leather underline underline-offset-3">
        <bdi>{name}</bdi>
      </Link>
      {isTest && <span className="text-small text-muted"> (sandbox)</span>}
    </span>
  );
}

/** A merchant that must be explored before the first purchase. */
function UnexploredMerchant({
  name,
  onExplore,
}: {
  readonly name: string;
  readonly onExplore: (() => void) | null;
}): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
      <bdi>{name}</bdi>
      {onExplore && (
        <Button size="small" aria-label={`Explore ${name}`} onClick={onExplore}>
          Explore
        </Button>
      )}
    </span>
  );
}
