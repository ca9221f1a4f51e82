import type { ComponentProps, ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { OutsideLink } from "../../components/outside-link.tsx";
import { Price } from "../../components/price.tsx";

type Amount = ComponentProps<typeof Price>;

export interface ProductEntry {
  readonly sku: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly price: Amount;
  readonly compareAtPrice?: Amount | null;
  readonly available: boolean;
  readonly productUrl: string;
  /** Merchant of the product. Null in the catalogue of one merchant. */
  readonly merchant: ReactNode;
}

/** Table of products with the SKU that agents order by. */
export function ProductTable({
  caption,
  products,
  hasMerchantColumn,
}: {
  readonly caption: string;
  readonly products: readonly ProductEntry[];
  readonly hasMerchantColumn: boolean;
}) {
  return (
    <Table caption={caption} columns={["Product", ...(hasMerchantColumn ? ["Merchant"] : []), "Price", "SKU"]}>
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
          {hasMerchantColumn && <Cell label="Merchant">{product.merchant}</Cell>}
          <Cell label="Price">
            <span>
              <Price {...product.price} />
              {product.compareAtPrice && product.compareAtPrice.amountMinor > product.price.amountMinor && (
                <span className="block text-small text-muted">
                  was <Price {...product.compareAtPrice} />
                </span>
              )}
              {!product.available && (
                <span className="block">
                  <Badge tone="muted">Out of stock</Badge>
                </span>
              )}
            </span>
          </Cell>
          <Cell label="SKU">
            <span className="inline-flex max-w-full items-center justify-end gap-1">
              <code className="min-w-0 font-mono text-small break-all">{product.sku}</code>
              <CopyButton text={product.sku} what={`SKU of ${product.title}`} />
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
