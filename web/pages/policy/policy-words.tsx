import { Fragment, type ReactNode } from "react";
import { cardName } from "../../components/card-name.ts";
import { countryName } from "../../components/countries.ts";
import { Fact, Facts } from "../../components/list.tsx";
import { Price } from "../../components/price.tsx";
import type { CheckoutPolicyQuery, ShopChoiceFragment } from "../../generated/graphql.ts";
import { type PolicyDocument, shopsOf } from "./read-policy.ts";
import { useShops } from "./use-shops.ts";

export type OwnCard = NonNullable<CheckoutPolicyQuery["viewer"]>["cards"]["edges"][number]["node"];

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** What a policy lets agents do, in plain words: every member of what is signed. */
export function PolicyWords({
  policy,
  cards,
}: {
  readonly policy: PolicyDocument;
  readonly cards: readonly OwnCard[];
}) {
  const { currency, allowed_merchants, blocked_merchants, allowed_countries, card_alias_ids } = policy;
  const shops = useShops(shopsOf(policy));
  const ceilings = [
    ["One order", policy.per_order_max_minor],
    ["A day", policy.daily_max_minor],
    ["A month", policy.monthly_max_minor],
  ] as const;
  return (
    <>
      <div className="mb-4 grid gap-x-10 gap-y-3 sm:grid-cols-3">
        {ceilings.map(([name, amountMinor]) => (
          <p key={name}>
            <span className="block text-small text-muted">{name}</span>
            at most <Price amountMinor={amountMinor} currency={currency} size="lead" />
          </p>
        ))}
      </div>
      <Facts>
        <Fact name="Shops">
          {allowed_merchants === null ? "any" : <ShopNames ids={allowed_merchants} shops={shops} none="none" />}
          {blocked_merchants.length > 0 && (
            <>
              , but not <ShopNames ids={blocked_merchants} shops={shops} none="" />
            </>
          )}
        </Fact>
        <Fact name="Shops’ countries">
          {allowed_countries.length === 0 ? "any" : allowed_countries.map(countryName).join(", ")}
        </Fact>
        <Fact name="Shops you never bought at">{stance(policy.new_merchant, "allowed")}</Fact>
        <Fact name="Other addresses than yours">{stance(policy.ship_to_other, "allowed")}</Fact>
        <Fact name="Cards">
          {card_alias_ids.length === 0
            ? "any of yours"
            : card_alias_ids.map((id) => ownCardName(cards.find(({ cardId }) => cardId === id))).join(", ")}
        </Fact>
        <Fact name="From">{date.format(new Date(policy.not_before))} UTC</Fact>
        <Fact name="Until">{date.format(new Date(policy.expires_at))} UTC</Fact>
      </Facts>
      <p className="mt-3 text-small text-muted">
        Days and months are counted in UTC. Orders outside of this, or in another currency, wait for your passkey.
      </p>
    </>
  );
}

function stance(given: PolicyDocument["new_merchant"], allowed: string): string {
  return given === "allow" ? allowed : "you are asked";
}

function ownCardName(card: OwnCard | undefined): string {
  return card ? cardName(card) : "a card you removed";
}

function ShopNames({
  ids,
  shops,
  none,
}: {
  readonly ids: readonly string[];
  readonly shops: ReadonlyMap<string, ShopChoiceFragment>;
  readonly none: string;
}): ReactNode {
  if (ids.length === 0) return none;
  return ids.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && ", "}
      <ShopName id={id} shop={shops.get(id)} />
    </Fragment>
  ));
}

/** Names may be alike; hosts are not. */
export function ShopName({ id, shop }: { readonly id: string; readonly shop: ShopChoiceFragment | undefined }) {
  if (!shop) return <code className="font-mono text-small">{id}</code>;
  return (
    <span className="wrap-anywhere">
      <bdi>{shop.name}</bdi> <span className="text-small text-muted">({shop.domain})</span>
    </span>
  );
}
