import { Fragment, type ReactNode } from "react";
import { cardName } from "../../components/card-name.ts";
import { countryName } from "../../components/countries.ts";
import { Fact, Facts } from "../../components/list.tsx";
import { Price } from "../../components/price.tsx";
import type { CheckoutPolicyQuery, MerchantOptionFragment } from "../../generated/graphql.ts";
import type { NodeOf } from "../../graphql/nodes.ts";
import { namedMerchantIds, type PolicyDocument } from "./read-policy.ts";
import { useMerchants } from "./use-merchants.ts";

export type OwnCard = NodeOf<NonNullable<CheckoutPolicyQuery["viewer"]>["cards"]>;

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Terms of a policy in words. Shows every member of the signed document. */
export function PolicyTerms({
  policy,
  cards,
}: {
  readonly policy: PolicyDocument;
  readonly cards: readonly OwnCard[];
}) {
  const { currency, allowed_merchants, blocked_merchants, allowed_countries, card_alias_ids } = policy;
  const merchants = useMerchants(namedMerchantIds(policy));
  const ceilings = [
    ["Per order", policy.per_order_max_minor],
    ["Per day", policy.daily_max_minor],
    ["Per month", policy.monthly_max_minor],
  ] as const;
  return (
    <>
      <div className="mb-4 grid gap-x-10 gap-y-3 sm:grid-cols-3">
        {ceilings.map(([name, amountMinor]) => (
          <p key={name}>
            <span className="block text-small text-muted">{name}</span>
            up to <Price amountMinor={amountMinor} currency={currency} size="lead" />
          </p>
        ))}
      </div>
      <Facts>
        <Fact name="Merchants">
          {allowed_merchants === null ? (
            "any"
          ) : (
            <MerchantNames ids={allowed_merchants} merchants={merchants} none="none" />
          )}
          {blocked_merchants.length > 0 && (
            <>
              , except <MerchantNames ids={blocked_merchants} merchants={merchants} none="" />
            </>
          )}
        </Fact>
        <Fact name="Merchant countries">
          {allowed_countries.length === 0 ? "any" : allowed_countries.map(countryName).join(", ")}
        </Fact>
        <Fact name="First purchase at a merchant">{stance(policy.new_merchant, "allowed")}</Fact>
        <Fact name="Delivery to other addresses">{stance(policy.ship_to_other, "allowed")}</Fact>
        <Fact name="Cards">
          {card_alias_ids.length === 0
            ? "any"
            : card_alias_ids.map((id) => ownCardName(cards.find(({ cardId }) => cardId === id))).join(", ")}
        </Fact>
        <Fact name="From">{date.format(new Date(policy.not_before))} UTC</Fact>
        <Fact name="Until">{date.format(new Date(policy.expires_at))} UTC</Fact>
      </Facts>
      <p className="mt-3 text-small text-muted">
        Days and months are in UTC. Orders outside these terms or in another currency require approval.
      </p>
    </>
  );
}

function stance(given: PolicyDocument["new_merchant"], allowed: string): string {
  return given === "allow" ? allowed : "requires approval";
}

function ownCardName(card: OwnCard | undefined): string {
  return card ? cardName(card) : "removed card";
}

function MerchantNames({
  ids,
  merchants,
  none,
}: {
  readonly ids: readonly string[];
  readonly merchants: ReadonlyMap<string, MerchantOptionFragment>;
  readonly none: string;
}): ReactNode {
  if (ids.length === 0) return none;
  return ids.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && ", "}
      <MerchantName id={id} merchant={merchants.get(id)} />
    </Fragment>
  ));
}

/** Name and host of a merchant. Several merchants can have the same name, but not the same host. */
export function MerchantName({
  id,
  merchant,
}: {
  readonly id: string;
  readonly merchant: MerchantOptionFragment | undefined;
}) {
  if (!merchant) return <code className="font-mono text-small">{id}</code>;
  return (
    <span className="wrap-anywhere">
      <bdi>{merchant.name}</bdi> <span className="text-small text-muted">({merchant.domain})</span>
    </span>
  );
}
