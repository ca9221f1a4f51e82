import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { OutsideLink } from "../../components/outside-link.tsx";
import { Price } from "../../components/price.tsx";

export interface ProductEntry {
  readonly sku: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly priceMinor: number;
  readonly compareAtMinor?: number | null;
  readonly currency: string;
  readonly available: boolean;
  readonly productUrl: string;
  /** Where it is sold; in a shop's own catalogue there is none. */
  readonly shop: ReactNode;
}

/** Products, each by what an agent orders it by. */
export function ProductTable({
  caption,
  products,
  hasShops,
}: {
  readonly caption: string;
  readonly products: readonly ProductEntry[];
  readonly hasShops: boolean;
}) {
  return (
    <Table caption={caption} columns={["Product", ...(hasShops ? ["Shop"] : []), "Price", "Article number"]}>
      {products.map((product) => (
        <Row key={`${product.productUrl} ${product.sku}`}>
          <Cell>
            <OutsideLink href={product.productUrl}>
              <bdi>{product.title}</bdi>
            </OutsideLink>
            {product.variantTitle !== null && (
              <bdi className="block text-small wrap-anywhere text-muted">{product.variantTitle}</bdi>
            )}
          </Cell>
          {hasShops && <Cell label="Shop">{product.shop}</Cell>}
          <Cell label="Price">
            <span>
              <Price amountMinor={product.priceMinor} currency={product.currency} />
              {product.compareAtMinor != null && product.compareAtMinor > product.priceMinor && (
                <span className="block text-small text-muted">
                  before <Price amountMinor={product.compareAtMinor} currency={product.currency} />
                </span>
              )}
              {!product.available && (
                <span className="block">
                  <Badge tone="muted">Sold out</Badge>
                </span>
              )}
            </span>
          </Cell>
          <Cell label="Article number">
            <span className="inline-flex max-w-full items-center justify-end gap-1">
              <code className="min-w-0 font-mono text-small break-all">{product.sku}</code>
              <CopyButton text={product.sku} what={`the article number of ${product.title}`} />
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
