import type { ReactNode } from "react";
import { Link } from "wouter";
import { cardName } from "../../components/card-name.ts";
import { countryName } from "../../components/countries.ts";
import { Fact, Facts } from "../../components/list.tsx";
import { OutsideLink } from "../../components/outside-link.tsx";
import { Price } from "../../components/price.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import type { OrderDetailsFragment } from "../../generated/graphql.ts";
import { shopPath } from "../merchants/shop-path.ts";
import { shopOf } from "./order-words.ts";

const EXPLORED = "First look at";

/** What is bought where, for whom, with what; once it is bought, what the shop said of it. */
export function Receipt({ order }: { readonly order: OrderDetailsFragment }) {
  const { kind, merchant, merchantUrl, card, shipTo, fulfillment, askedBy, userPrompt, evidence, currency } = order;
  const { merchantOrderNumber, confirmationUrl, confirmedAt } = evidence;
  const isBought = order.status === "succeeded";
  return (
    <Section title={isBought ? "Receipt" : kind === "explored" ? "The shop" : "The order"}>
      {order.lines.length > 0 && currency !== null && <Lines order={order} currency={currency} />}
      <Facts>
        <Fact name={kind === "explored" ? EXPLORED : "Shop"}>
          {merchant ? (
            <Link href={shopPath(merchant.merchantId)} className="text-leather underline underline-offset-3">
              <bdi>{shopOf(order)}</bdi>
            </Link>
          ) : (
            <bdi>{merchantUrl ?? shopOf(order)}</bdi>
          )}
          {order.isTest && <span className="text-muted"> (test shop: no real money moves)</span>}
        </Fact>
        {merchantOrderNumber !== null && (
          <Fact name="The shop’s order number">
            <bdi className="font-mono wrap-anywhere">{merchantOrderNumber}</bdi>
          </Fact>
        )}
        {confirmationUrl !== null && (
          <Fact name="The shop’s confirmation">
            <OutsideLink href={confirmationUrl}>{new URL(confirmationUrl).host}</OutsideLink>
          </Fact>
        )}
        {confirmedAt !== null && (
          <Fact name="Confirmed">
            <Time at={confirmedAt} />
          </Fact>
        )}
        {isBought && <Charged order={order} />}
        {fulfillment?.location && (
          <Fact name="Collected at">
            <bdi>{fulfillment.location.name}</bdi>
            {fulfillment.location.address && <bdi className="text-muted">, {fulfillment.location.address}</bdi>}
          </Fact>
        )}
        {kind === "purchase" && !fulfillment?.location && (
          <Fact name="Goes to">
            {shipTo ? (
              <>
                <bdi>{[shipTo.recipient, shipTo.city, shipTo.postalCodePrefix].filter(Boolean).join(", ")}</bdi>,{" "}
                {countryName(shipTo.countryCode)}
              </>
            ) : fulfillment?.type === "digital" ? (
              "Nobody: nothing has to be carried"
            ) : (
              "You, at your default card’s billing address"
            )}
          </Fact>
        )}
        {card && <Fact name="Paid with">{cardName(card)}</Fact>}
        <Fact name="Asked by">
          <bdi className="wrap-anywhere">{askedBy}</bdi>
        </Fact>
        {userPrompt !== null && (
          <Fact name="You asked">
            “<bdi className="wrap-anywhere whitespace-pre-line">{userPrompt}</bdi>”
          </Fact>
        )}
        <Fact name="Asked">
          <Time at={order.createdAt} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Charged({ order }: { readonly order: OrderDetailsFragment }): ReactNode {
  const { amountMinor, amountChargedMinor, amountIsFinal, currency } = order;
  if (amountMinor === null || currency === null || amountChargedMinor === amountMinor) return null;
  return (
    <Fact name="Approved">
      {!amountIsFinal && "at most "}
      <Price amountMinor={amountMinor} currency={currency} />
    </Fact>
  );
}

function Lines({ order, currency }: { readonly order: OrderDetailsFragment; readonly currency: string }) {
  const { lines, fulfillment, amountMinor, amountChargedMinor, amountIsFinal } = order;
  const total = amountChargedMinor ?? amountMinor;
  return (
    <ul aria-label="What is bought" className="divide-y divide-line border-t border-line">
      {lines.map(({ sku, title, variantTitle, quantity, totalMinor }) => (
        <li key={sku} className="flex items-baseline justify-between gap-4 py-2">
          <span className="min-w-0 wrap-anywhere">
            <span className="figures">{quantity} ×</span> <bdi>{title}</bdi>
            {variantTitle !== null && <bdi className="text-muted">, {variantTitle}</bdi>}
          </span>
          <Price amountMinor={totalMinor} currency={currency} />
        </li>
      ))}
      {fulfillment && (
        <li className="flex items-baseline justify-between gap-4 py-2">
          <span className="min-w-0 wrap-anywhere">
            {fulfillment.location ? "Collecting" : "Delivery"}: <bdi>{fulfillment.title}</bdi>
          </span>
          <Price amountMinor={fulfillment.amountMinor} currency={currency} />
        </li>
      )}
      {total !== null && (
        <li className="flex items-baseline justify-between gap-4 py-2 font-semibold">
          <span>{amountChargedMinor === null && !amountIsFinal ? "Total, at most" : "Total"}</span>
          <Price amountMinor={total} currency={currency} />
        </li>
      )}
    </ul>
  );
}
