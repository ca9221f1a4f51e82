/** Profiles of platforms and processors. They are data: the gate decides what they may permit. */
import type { Profile } from "../gate/profile.ts";
import { adyen } from "./adyen.ts";
import { bigcommerce } from "./bigcommerce.ts";
import { braintree } from "./braintree.ts";
import { magento } from "./magento.ts";
import { paypal } from "./paypal.ts";
import { saleor } from "./saleor.ts";
import { shopify } from "./shopify.ts";
import { square } from "./square.ts";
import { squarespace } from "./squarespace.ts";
import { stripe } from "./stripe.ts";
import { wix } from "./wix.ts";
import { woocommerce } from "./woocommerce.ts";

export const PROFILES: readonly Profile[] = [
  ...[shopify, woocommerce, magento, bigcommerce, squarespace, wix, saleor],
  ...[stripe, adyen, braintree, paypal, square],
];
