import { buildSchema } from "graphql";
import { COUNTRY_CODES } from "../countries.ts";

/** The part of the Storefront API 2026-10 that requires no token and that buyers need, with its original names. */
export const storefrontSchema = buildSchema(`
directive @inContext(country: CountryCode, language: LanguageCode) on QUERY | MUTATION
directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT

scalar Decimal
scalar URL
enum CountryCode { ${COUNTRY_CODES.join(" ")} }
enum LanguageCode { EN FR DE ES JA AR }
enum CurrencyCode { AUD CAD EUR GBP JPY KWD USD }
enum CardBrand { VISA MASTERCARD AMERICAN_EXPRESS DISCOVER JCB DINERS_CLUB }
enum SearchType { PRODUCT PAGE ARTICLE }
enum DeliveryMethodType { SHIPPING PICK_UP RETAIL LOCAL PICKUP_POINT NONE }
enum PreferenceDeliveryMethodType { SHIPPING PICK_UP PICKUP_POINT }
enum DiscountApplicationTargetType { LINE_ITEM SHIPPING_LINE }
enum CartDeliveryGroupType { SUBSCRIPTION ONE_TIME_PURCHASE }
enum DeliveryAddressValidationStrategy { COUNTRY_CODE_ONLY STRICT }
enum CartErrorCode {
  ADDRESS_FIELD_CONTAINS_EMOJIS ADDRESS_FIELD_CONTAINS_HTML_TAGS ADDRESS_FIELD_CONTAINS_URL
  ADDRESS_FIELD_DOES_NOT_MATCH_EXPECTED_PATTERN ADDRESS_FIELD_IS_REQUIRED ADDRESS_FIELD_IS_TOO_LONG
  INVALID INVALID_DELIVERY_GROUP INVALID_DELIVERY_OPTION INVALID_MERCHANDISE_LINE INVALID_ZIP_CODE_FOR_COUNTRY
  INVALID_ZIP_CODE_FOR_PROVINCE LESS_THAN MAXIMUM_EXCEEDED MINIMUM_NOT_MET PROVINCE_NOT_FOUND UNSPECIFIED_ADDRESS_ERROR
  VALIDATION_CUSTOM
}
enum CartWarningCode { MERCHANDISE_NOT_ENOUGH_STOCK MERCHANDISE_OUT_OF_STOCK DUPLICATE_DELIVERY_ADDRESS }

interface Node { id: ID! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
type Image { url: URL! altText: String }
type Domain { host: String! url: URL! sslEnabled: Boolean! }
type ApiVersion { handle: String! displayName: String! supported: Boolean! }
type PaymentSettings { currencyCode: CurrencyCode! countryCode: CountryCode! acceptedCardBrands: [CardBrand!]! enabledPresentmentCurrencies: [CurrencyCode!]! }
type Shop implements Node {
  id: ID! name: String! description: String primaryDomain: Domain! shipsToCountries: [CountryCode!]! paymentSettings: PaymentSettings!
}

type SelectedOption { name: String! value: String! }
type ProductVariant implements Node {
  id: ID! sku: String title: String! availableForSale: Boolean! currentlyNotInStock: Boolean! requiresShipping: Boolean! taxable: Boolean!
  price: MoneyV2! compareAtPrice: MoneyV2 selectedOptions: [SelectedOption!]! image: Image product: Product!
}
type ProductVariantConnection { nodes: [ProductVariant!]! edges: [ProductVariantEdge!]! pageInfo: PageInfo! }
type ProductVariantEdge { node: ProductVariant! cursor: String! }
type ProductPriceRange { minVariantPrice: MoneyV2! maxVariantPrice: MoneyV2! }
type Product implements Node {
  id: ID! handle: String! title: String! description: String! vendor: String! productType: String! tags: [String!]! availableForSale: Boolean!
  onlineStoreUrl: URL featuredImage: Image priceRange: ProductPriceRange! variants(first: Int, after: String): ProductVariantConnection!
}
type ProductConnection { nodes: [Product!]! edges: [ProductEdge!]! pageInfo: PageInfo! }
type ProductEdge { node: Product! cursor: String! }
union SearchResultItem = Product
type SearchResultItemConnection { nodes: [SearchResultItem!]! edges: [SearchResultItemEdge!]! pageInfo: PageInfo! totalCount: Int! }
type SearchResultItemEdge { node: SearchResultItem! cursor: String! }

type CartCost {
  subtotalAmount: MoneyV2! subtotalAmountEstimated: Boolean! totalAmount: MoneyV2! totalAmountEstimated: Boolean! checkoutChargeAmount: MoneyV2!
}
type CartLineCost { amountPerQuantity: MoneyV2! subtotalAmount: MoneyV2! totalAmount: MoneyV2! }
union Merchandise = ProductVariant
type CartLine implements Node { id: ID! quantity: Int! cost: CartLineCost! merchandise: Merchandise! }
type CartLineConnection { nodes: [CartLine!]! edges: [CartLineEdge!]! pageInfo: PageInfo! }
type CartLineEdge { node: CartLine! cursor: String! }
interface CartDiscountAllocation { discountedAmount: MoneyV2! targetType: DiscountApplicationTargetType! }
type CartAutomaticDiscountAllocation implements CartDiscountAllocation {
  discountedAmount: MoneyV2! targetType: DiscountApplicationTargetType! title: String!
}
type CartBuyerIdentity { email: String phone: String countryCode: CountryCode }
type CartDeliveryOption {
  handle: String! title: String code: String description: String deliveryMethodType: DeliveryMethodType! estimatedCost: MoneyV2!
}
type CartDeliveryGroup {
  id: ID! groupType: CartDeliveryGroupType! cartLines(first: Int): CartLineConnection! deliveryOptions: [CartDeliveryOption!]!
  selectedDeliveryOption: CartDeliveryOption
}
type CartDeliveryGroupConnection { nodes: [CartDeliveryGroup!]! edges: [CartDeliveryGroupEdge!]! pageInfo: PageInfo! }
type CartDeliveryGroupEdge { node: CartDeliveryGroup! cursor: String! }
type Cart implements Node {
  id: ID! checkoutUrl: URL! totalQuantity: Int! createdAt: String! updatedAt: String! cost: CartCost! buyerIdentity: CartBuyerIdentity!
  "Discounts on the whole cart and its delivery."
  discountAllocations: [CartDiscountAllocation!]!
  lines(first: Int, after: String): CartLineConnection!
  "Carrier rates need @defer."
  deliveryGroups(first: Int, after: String, withCarrierRates: Boolean = false): CartDeliveryGroupConnection!
}
type CartUserError { field: [String!] code: CartErrorCode message: String! }
type CartWarning { code: CartWarningCode! target: ID! message: String! }
type CartCreatePayload { cart: Cart userErrors: [CartUserError!]! warnings: [CartWarning!]! }
type CartSelectedDeliveryOptionsUpdatePayload { cart: Cart userErrors: [CartUserError!]! warnings: [CartWarning!]! }

input CartLineInput { merchandiseId: ID! quantity: Int = 1 }
input CartDeliveryPreferenceInput { deliveryMethod: [PreferenceDeliveryMethodType!] pickupHandle: [String!] }
input CartPreferencesInput { delivery: CartDeliveryPreferenceInput }
input CartBuyerIdentityInput { email: String phone: String countryCode: CountryCode preferences: CartPreferencesInput }
input CartDeliveryAddressInput {
  firstName: String lastName: String company: String address1: String address2: String city: String provinceCode: String zip: String
  countryCode: CountryCode phone: String
}
input CartAddressInput { deliveryAddress: CartDeliveryAddressInput }
input CartSelectableAddressInput {
  address: CartAddressInput! selected: Boolean oneTimeUse: Boolean validationStrategy: DeliveryAddressValidationStrategy = COUNTRY_CODE_ONLY
}
input CartDeliveryInput { addresses: [CartSelectableAddressInput!] }
input CartInput { lines: [CartLineInput!] buyerIdentity: CartBuyerIdentityInput delivery: CartDeliveryInput note: String }
input CartSelectedDeliveryOptionInput { deliveryGroupId: ID! deliveryOptionHandle: String! }

type Currency { isoCode: CurrencyCode! }
type Country { isoCode: CountryCode! currency: Currency! }
type Localization { availableCountries: [Country!]! }

type Query {
  shop: Shop!
  localization: Localization!
  publicApiVersions: [ApiVersion!]!
  product(handle: String, id: ID): Product
  products(first: Int, after: String, query: String): ProductConnection!
  search(query: String!, first: Int, after: String, types: [SearchType!]): SearchResultItemConnection!
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  cart(id: ID!): Cart
}
type Mutation {
  cartCreate(input: CartInput): CartCreatePayload
  cartSelectedDeliveryOptionsUpdate(cartId: ID!, selectedDeliveryOptions: [CartSelectedDeliveryOptionInput!]!): CartSelectedDeliveryOptionsUpdatePayload
}
`);
