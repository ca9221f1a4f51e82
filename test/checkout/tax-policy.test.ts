import { expect, it } from "vitest";
import { readPage } from "../../src/checkout/merchant-pages/read-page.ts";
import { readVisibleText } from "../../src/checkout/merchant-pages/read-visible-text.ts";
import { taxPolicyOf } from "../../src/checkout/merchant-pages/tax-policy.ts";

const read = (html: string) => taxPolicyOf([readPage(html)], [readVisibleText(html)]);

it.each([
  ["<div>Tax included. <a>Shipping</a> calculated at checkout.</div>", "included"],
  ["<p>Tax <b>incl</b>uded.</p>", "included"],
  ["<p>inkl. MwSt. zzgl. <a>Versand</a></p>", "included"],
  ["<p>Prices include VAT</p><p>VAT included</p>", "included"],
  ["<p>Taxes and shipping calculated at checkout</p>", "added"],
  ["<p>VAT is not included.</p>", "added"],
  ["<p>Prices do not include sales tax.</p>", "added"],
  ["<p>Prices don't include VAT</p>", "added"],
  ["<p>not including VAT</p>", "added"],
  ["<p>exkl. MwSt.</p><p>excl. btw</p>", "added"],
  ["<p>Wool socks</p>", "unknown"],
  ["<p>Includes two pairs</p><p>tax advice</p>", "unknown"],
  ["<script>const text = 'Tax included.'</script><style>/* Tax included. */</style>", "unknown"],
  ["<template>Tax included.</template><p>Socks</p>", "unknown"],
  ['<script type="application/ld+json">{"@type":"Offer","valueAddedTaxIncluded":true}</script>', "included"],
  [
    '<p>Tax included.</p><script type="application/ld+json">{"@type":"Offer","valueAddedTaxIncluded":false}</script>',
    "added",
  ],
])("reads the policy of %s as %s", (html, policy) => {
  expect(read(html)).toBe(policy);
});
