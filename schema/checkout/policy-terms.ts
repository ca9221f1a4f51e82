/** Terms of a standing policy, read from its signed document. */
import type { PolicyDocument } from "../../src/checkout/policy/policy-document.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";

export const PolicyStanceEnum = wireEnum("PolicyStance", "The treatment of orders that match a condition.", {
  require_approval: "The order requires the account owner's approval by passkey.",
  allow: "The order proceeds without approval.",
});

export const PolicyTermsType = builder.objectRef<PolicyDocument>("CheckoutPolicyTerms").implement({
  description: "The terms of a standing policy. Orders outside of them require approval.",
  fields: (t) => ({
    perOrderMax: t.field({
      type: MoneyType,
      description: "Maximum amount per order.",
      resolve: ({ per_order_max_minor, currency }) => toMoney(per_order_max_minor, currency),
    }),
    dailyMax: t.field({
      type: MoneyType,
      description: "Maximum amount per day (UTC).",
      resolve: ({ daily_max_minor, currency }) => toMoney(daily_max_minor, currency),
    }),
    monthlyMax: t.field({
      type: MoneyType,
      description: "Maximum amount per month (UTC).",
      resolve: ({ monthly_max_minor, currency }) => toMoney(monthly_max_minor, currency),
    }),
    allowedMerchantIds: t.idList({
      nullable: true,
      description: "Ids of allowed merchants. Null allows any merchant; an empty list allows none.",
      resolve: ({ allowed_merchants }) => allowed_merchants,
    }),
    blockedMerchantIds: t.idList({
      description: "Ids of blocked merchants.",
      resolve: ({ blocked_merchants }) => blocked_merchants,
    }),
    allowedCountries: t.field({
      type: ["CountryCode"],
      description: "Countries of allowed merchants. Empty allows any country.",
      resolve: ({ allowed_countries }) => allowed_countries,
    }),
    newMerchant: t.expose("new_merchant", {
      type: PolicyStanceEnum,
      description: "Treatment of merchants without an earlier purchase.",
    }),
    shipToOther: t.expose("ship_to_other", {
      type: PolicyStanceEnum,
      description: "Treatment of delivery addresses other than the cardholder's.",
    }),
    cardIds: t.idList({
      description: "Ids of allowed cards. Empty allows any card.",
      resolve: ({ card_alias_ids }) => card_alias_ids,
    }),
  }),
});
