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
import { merchantPath } from "../merchants/merchant-path.ts";
import { merchantName } from "./order-labels.ts";
import { findOutcome } from "./outcomes.ts";

const EXPLORED = "Merchant explored";

/** Details of an order. After the purchase also the merchant's confirmation. */
export function Receipt({ order }: { readonly order: OrderDetailsFragment }) {
  const { kind, merchant, merchantUrl, card, shipTo, fulfillment, askedBy, userPrompt, evidence } = order;
  const { merchantOrderNumber, confirmationUrl, confirmedAt } = evidence;
  const isBought = order.status === "SUCCEEDED";
  return (
    <Section title={isBought ? "Receipt" : kind === "EXPLORED" ? "Merchant" : "Details"}>
      {order.lines.length > 0 && <Lines order={order} />}
      <Facts>
        <Fact name={kind === "EXPLORED" ? EXPLORED : "Merchant"}>
          {merchant ? (
            <Link href={merchantPath(merchant.merchantId)} className="text-leather underline underline-offset-3">
              <bdi>{merchantName(order)}</bdi>
            </Link>
          ) : (
            <bdi>{merchantUrl ?? merchantName(order)}</bdi>
          )}
          {order.isTest && <span className="text-muted"> (sandbox: no real money is charged)</span>}
        </Fact>
        {merchantOrderNumber !== null && (
          <Fact name="Merchant order number">
            <bdi className="font-mono wrap-anywhere">{merchantOrderNumber}</bdi>
          </Fact>
        )}
        {confirmationUrl !== null && (
          <Fact name="Merchant confirmation">
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
          <Fact name="Pickup at">
            <bdi>{fulfillment.location.name}</bdi>
            {fulfillment.location.address && <bdi className="text-muted">, {fulfillment.location.address}</bdi>}
          </Fact>
        )}
        {kind === "PURCHASE" && !fulfillment?.location && (
          <Fact name="Delivery to">
            {shipTo ? (
              <>
                <bdi>{[shipTo.recipient, shipTo.city, shipTo.postalCodePrefix].filter(Boolean).join(", ")}</bdi>,{" "}
                {countryName(shipTo.countryCode)}
              </>
            ) : fulfillment?.type === "DIGITAL" ? (
              "Digital delivery"
            ) : (
              "Billing address of your default card"
            )}
          </Fact>
        )}
        {card && <Fact name={order.isTerminal ? findOutcome(order).cardLabel : "Card"}>{cardName(card)}</Fact>}
        <Fact name="Requested by">
          <bdi className="wrap-anywhere">{askedBy}</bdi>
        </Fact>
        {userPrompt !== null && (
          <Fact name="Your request">
            “<bdi className="wrap-anywhere whitespace-pre-line">{userPrompt}</bdi>”
          </Fact>
        )}
        <Fact name="Requested">
          <Time at={order.createdAt} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Charged({ order }: { readonly order: OrderDetailsFragment }): ReactNode {
  const { amount, amountCharged, amountIsFinal } = order;
  if (!amount || amountCharged?.amountMinor === amount.amountMinor) return null;
  return (
    <Fact name="Approved">
      {!amountIsFinal && "up to "}
      <Price {...amount} />
    </Fact>
  );
}

function Lines({ order }: { readonly order: OrderDetailsFragment }) {
  const { lines, fulfillment, amount, amountCharged, amountIsFinal } = order;
  const orderTotal = amountCharged ?? amount;
  return (
    <ul aria-label="Items" className="divide-y divide-line border-t border-line">
      {lines.map(({ sku, title, variantTitle, quantity, total }) => (
        <li key={sku} className="flex items-baseline justify-between gap-4 py-2">
          <span className="min-w-0 wrap-anywhere">
            <span className="figures">{quantity} ×</span> <bdi>{title}</bdi>
            {variantTitle !== null && <bdi className="text-muted">, {variantTitle}</bdi>}
          </span>
          <Price {...total} />
        </li>
      ))}
      {fulfillment && (
        <li className="flex items-baseline justify-between gap-4 py-2">
          <span className="min-w-0 wrap-anywhere">
            {fulfillment.location ? "Pickup" : "Delivery"}: <bdi>{fulfillment.title}</bdi>
          </span>
          <Price {...fulfillment.amount} />
        </li>
      )}
      {orderTotal && (
        <li className="flex items-baseline justify-between gap-4 py-2 font-semibold">
          <span>{!amountCharged && !amountIsFinal ? "Total, up to" : "Total"}</span>
          <Price {...orderTotal} />
        </li>
      )}
    </ul>
  );
}
