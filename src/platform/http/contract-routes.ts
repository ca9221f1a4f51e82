/** The routes of the contract (spec section 4). The waiver of its section 5 covers them. */

/** Braces stand for one segment of the path. */
export const CONTRACT_ROUTES: readonly string[] = [
  "GET /api/agent/credential",
  "GET /api/agent/email",
  "POST /api/agent/email",
  "GET /api/agent/email/inbox",
  "POST /api/agent/email/reply",
  "POST /api/agent/email/send",
  "GET /api/agent/identity",
  "GET /api/autofill/cards",
  "POST /api/autofill/dispatch",
  "POST /api/autofill/explore",
  "GET /api/autofill/merchants",
  "GET /api/autofill/merchants/{id}",
  "GET /api/autofill/orders",
  "GET /api/autofill/orders/{id}",
  "GET /api/autofill/orders/{id}/evidence",
  "GET /api/autofill/products/lookup",
  "GET /api/autofill/products/search",
  "GET /api/autofill/reliability",
  "POST /api/autofill/shopify/quote",
  "GET /api/balance",
  "POST /api/purchase-token/create",
  "POST /api/sign-payment",
  "POST /api/trade",
  "GET /api/trade/quote",
  "GET /api/trade/tokens",
  "GET /api/transactions",
  "POST /api/x402/fetch",
  "GET /oauth/userinfo",
  "POST /v1/chat/completions",
  "GET /v1/models",
];

const FIXED = new Set(CONTRACT_ROUTES.filter((route) => !route.includes("{")));
const VARIABLE = CONTRACT_ROUTES.filter((route) => route.includes("{")).map(
  (route) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
);

/** Returns true if the request is one of a route of the contract. HEAD counts as GET. */
export function isContractRoute(request: { readonly method: string | null; readonly path: string }): boolean {
  const route = `${request.method === "HEAD" ? "GET" : request.method} ${request.path}`;
  return FIXED.has(route) || VARIABLE.some((pattern) => pattern.test(route));
}
