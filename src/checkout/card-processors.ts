/**
 * Card processors whose frames and pages merchants embed, and operators of banks' 3-D Secure pages. Entries are origin
 * patterns (`isOriginMatch`). Operators add others with CHECKOUT_PROCESSORS and CHECKOUT_ISSUERS.
 */

/** Origins that processors document for hosted card fields and hosted payment pages. */
export const CARD_PROCESSORS: readonly string[] = [
  // Shopify
  "https://checkout.shopifycs.com",
  "https://checkout.pci.shopifyinc.com",
  // Stripe
  "https://js.stripe.com",
  "https://checkout.stripe.com",
  // Adyen
  "https://*.adyen.com",
  // Braintree
  "https://assets.braintreegateway.com",
  // Checkout.com
  "https://*.checkout.com",
  // Square
  "https://web.squarecdn.com",
  "https://pci-connect.squareup.com",
  // PayPal
  "https://www.paypal.com",
  // Worldpay
  "https://*.worldpay.com",
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
  "https://*.opayo.eu.elavon.com",
  // Spreedly
  "https://core.spreedly.com",
  // Recurly
  "https://api.recurly.com",
  // Very Good Security
  "https://js.verygoodvault.com",
  // Basis Theory
  "https://js.basistheory.com",
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
