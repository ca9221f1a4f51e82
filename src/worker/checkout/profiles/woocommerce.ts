import type { Profile } from "../gate/profile.ts";

export const woocommerce: Profile = {
  name: "WooCommerce",
  source: "https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-ajax.php",
  permits: [
    { as: "poll", query: { "wc-ajax": "get_refreshed_fragments" } },
    { as: "poll", query: { "wc-ajax": "update_order_review" } },
    // After the processor confirmed the payment of an order that exists:
    // https://github.com/woocommerce/woocommerce-gateway-stripe/blob/develop/includes/class-wc-stripe-intent-controller.php
    { as: "completion", query: { "wc-ajax": "wc_stripe_update_order_status" } },
  ],
};
