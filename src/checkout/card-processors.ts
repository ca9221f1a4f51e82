/**
 * Card processors whose frames and pages merchants embed, and operators of banks' 3-D Secure pages. Entries are origin
 * patterns (`isOriginMatch`). Operators add others with CHECKOUT_PROCESSORS and CHECKOUT_ISSUERS.
 */

/**
 * Origins that processors document for hosted card fields and hosted payment pages. Origins with pages that customers of the
 * processor write themselves are not included.
 */
export const CARD_PROCESSORS: readonly string[] = [
  // Shopify
  "https://checkout.shopifycs.com",
  "https://checkout.pci.shopifyinc.com",
  // Stripe
  "https://js.stripe.com",
  "https://checkout.stripe.com",
  "https://buy.stripe.com",
  // PayPal
  "https://www.paypal.com",
  // Adyen
  "https://checkoutshopper-live.adyen.com",
  "https://checkoutshopper-live-us.adyen.com",
  "https://checkoutshopper-live-au.adyen.com",
  "https://checkoutshopper-live-apse.adyen.com",
  "https://checkoutshopper-live-in.adyen.com",
  "https://eu.adyen.link",
  // Braintree
  "https://assets.braintreegateway.com",
  // Checkout.com
  "https://js.checkout.com",
  "https://pay.checkout.com",
  // Square
  "https://web.squarecdn.com",
  "https://pci-connect.squareup.com",
  // Worldpay
  "https://access.worldpay.com",
  "https://payments.worldpay.com",
  "https://secure.worldpay.com",
  // Cybersource
  "https://flex.cybersource.com",
  "https://secureacceptance.cybersource.com",
  // Mollie
  "https://js.mollie.com",
  "https://www.mollie.com",
  // Authorize.net
  "https://accept.authorize.net",
  "https://js.authorize.net",
  // Razorpay
  "https://api.razorpay.com",
  // Opayo
  "https://live.opayo.eu.elavon.com",
  // Global Payments
  "https://pay.realexpayments.com",
  // Worldline
  "https://secure.ogone.com",
  // Redsys
  "https://sis.redsys.es",
  // MultiSafepay
  "https://payv2.multisafepay.com",
  // Payplug
  "https://secure.payplug.com",
  // PayZen
  "https://secure.payzen.eu",
  // Datatrans
  "https://pay.datatrans.com",
  // Paystack
  "https://checkout.paystack.com",
  // Recurly
  "https://api.recurly.com",
];

/** Hosts that serve 3-D Secure challenges on behalf of card issuers. */
export const CARD_ISSUERS: readonly string[] = [
  // Cardinal Commerce
  "https://*.cardinalcommerce.com",
  // Arcot
  "https://*.arcot.com",
  // Netcetera
  "https://*.3dsecure.no",
  "https://*.netcetera-payment.ch",
  // Worldline
  "https://*.wlp-acs.com",
  // Entersekt and Modirum
  "https://*.modirum.com",
  // Visa and Mastercard
  "https://*.visa.com",
  "https://*.mastercard.com",
  "https://*.americanexpress.com",
];
