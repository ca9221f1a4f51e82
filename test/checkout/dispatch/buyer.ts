/** An account owner with a card, an address and an agent's token, optionally with a signed policy. */
import { CartBody } from "../../../rest-compat/routes/checkout/shapes.ts";
import type { Database } from "../../../src/platform/database/connection.ts";
import type { TestResponse } from "../../support/stack.ts";
import { type AccountOwner, addCard, openAccountOwner } from "../account-owner.ts";

export const SOCKS = "gid://shopify/ProductVariant/710031";
/** Total of two pairs of socks with standard delivery at the sandbox store `harbour`. */
export const SOCKS_MINOR = 2_895;

export interface Buyer extends AccountOwner {
  readonly cardId: string;
  dispatch(body: object, headers?: Record<string, string>): Promise<TestResponse>;
  quote(body: object): Promise<TestResponse>;
  /** Quotes the cart of a dispatch, also to the cardholder's address. The caps of later dispatches must be the same. */
  quoteFor(dispatch: object): Promise<void>;
  /** Signs a checkout policy with these terms. */
  signPolicy(terms?: object): Promise<string>;
  /** Approves with the passkey the purchase of a response with status 202. */
  approve(response: TestResponse): Promise<void>;
  deny(response: TestResponse): Promise<void>;
}

const ERROR = "... on Error { code message }";

/** @param service a running service with direct access to its database */
export async function openBuyer(service: {
  readonly baseUrl: string;
  readonly deps: { readonly db: Database };
}): Promise<Buyer> {
  const { baseUrl, deps } = service;
  const owner = await openAccountOwner({ baseUrl, service: { deps } });
  const email = `${owner.accountId}@people.example`;
  await deps.db.prisma.account.update({ where: { id: owner.accountId }, data: { email } });
  const { cardId } = (await addCard(owner)).card;
  const mutate = async (name: string, input: object, fields: string) => {
    const pascal = name[0]?.toUpperCase() + name.slice(1);
    const query = `mutation ($input: ${pascal}Input!) { ${name}(input: $input) { ... on ${pascal}Success { ${fields} } ${ERROR} } }`;
    const result = (await owner.visitor.graphql(query, { input }))[name];
    if (result.code) throw new Error(`${name}: ${result.code} ${result.message}`);
    return result;
  };
  const post = async (path: string, body: object, more: Record<string, string> = {}): Promise<TestResponse> => {
    const headers = { "content-type": "application/json", "x-service-token": owner.token, ...more };
    const url = `${baseUrl}/api/autofill/${path}`;
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  };
  const readApprovalId = ({ json }: TestResponse): string => json.approval_url.split("/").at(-1);
  return {
    ...owner,
    cardId,
    dispatch: (body, headers = {}) => post("dispatch", body, headers),
    quote: (body) => post("shopify/quote", body),
    async quoteFor(dispatch) {
      const cart = cartOf(dispatch);
      for (const body of [{ ...cart, ship_to: undefined, constraints: undefined }, cart])
        await post("shopify/quote", body);
    },
    async signPolicy(terms = {}) {
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const caps = { perOrderMaxMinor: 5_000, dailyMaxMinor: 50_000, monthlyMaxMinor: 50_000 };
      const rules = { newMerchant: "ALLOW", shipToOther: "ALLOW" };
      const input = { currency: "GBP", ...caps, ...rules, expiresAt, ...terms };
      const { attemptId, options } = await mutate("startCheckoutPolicy", input, "attemptId options");
      const signedResponse = owner.device.get(options);
      return (await mutate("createCheckoutPolicy", { attemptId, response: signedResponse }, "policy { policyId }"))
        .policy.policyId;
    },
    async approve(response) {
      const id = readApprovalId(response);
      const { options } = await mutate("startPurchaseApproval", { id }, "options");
      await mutate("approvePurchase", { id, response: owner.device.get(options) }, "approval { status }");
    },
    async deny(response) {
      await mutate("denyPurchase", { id: readApprovalId(response) }, "approval { status }");
    },
  };
}

/** Returns the members of a dispatch that a quote has, too. */
export function cartOf(dispatch: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(dispatch).filter(([name]) => name in CartBody.shape));
}
