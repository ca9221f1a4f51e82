/** Somebody who buys at shops: with a card, an address, a policy if they sign one, and an agent's token. */
import type { Database } from "../../../src/platform/database/connection.ts";
import type { Answer } from "../../support/stack.ts";
import { addCard, openPerson, type Person } from "../person.ts";

export const SOCKS = "gid://shopify/ProductVariant/710031";
/** Of two pairs of socks by standard delivery, at the shop `harbour`. */
export const SOCKS_MINOR = 2_895;

export interface Buyer extends Person {
  readonly cardId: string;
  dispatch(body: object, headers?: Record<string, string>): Promise<Answer>;
  quote(body: object): Promise<Answer>;
  /** Has a dispatch's cart quoted, on its terms and on none, so that later ones may be on either. */
  quoteFor(dispatch: object): Promise<void>;
  /** Signs a standing policy over these terms. */
  signPolicy(terms?: object): Promise<string>;
  /** Approves with the passkey what an answer of 202 asks for. */
  approve(answer: Answer): Promise<void>;
  deny(answer: Answer): Promise<void>;
}

const ERROR = "... on Error { code message }";

/** @param service any, whose database is at hand */
export async function openBuyer(service: {
  readonly baseUrl: string;
  readonly deps: { readonly db: Database };
}): Promise<Buyer> {
  const { baseUrl, deps } = service;
  const person = await openPerson({ baseUrl, service: { deps } });
  const email = `${person.accountId}@people.example`;
  await deps.db.prisma.account.update({ where: { id: person.accountId }, data: { email } });
  const { cardId } = (await addCard(person)).card;
  const mutate = async (name: string, input: object, fields: string) => {
    const pascal = name[0]?.toUpperCase() + name.slice(1);
    const query = `mutation ($input: ${pascal}Input!) { ${name}(input: $input) { ... on ${pascal}Success { ${fields} } ${ERROR} } }`;
    const result = (await person.visitor.graphql(query, { input }))[name];
    if (result.code) throw new Error(`${name}: ${result.code} ${result.message}`);
    return result;
  };
  const post = async (path: string, body: object, more: Record<string, string> = {}): Promise<Answer> => {
    const headers = { "content-type": "application/json", "x-service-token": person.token, ...more };
    const url = `${baseUrl}/api/autofill/${path}`;
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  };
  const approvalIdOf = ({ json }: Answer): string => json.approval_url.split("/").at(-1);
  return {
    ...person,
    cardId,
    dispatch: (body, headers = {}) => post("dispatch", body, headers),
    quote: (body) => post("shopify/quote", body),
    async quoteFor(dispatch) {
      await post("shopify/quote", dispatch);
      await post("shopify/quote", { ...dispatch, ship_to: undefined, constraints: undefined });
    },
    async signPolicy(terms = {}) {
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const caps = { perOrderMaxMinor: 5_000, dailyMaxMinor: 50_000, monthlyMaxMinor: 50_000 };
      const stances = { newMerchant: "ALLOW", shipToOther: "ALLOW" };
      const input = { currency: "GBP", ...caps, ...stances, expiresAt, ...terms };
      const { attemptId, options } = await mutate("startCheckoutPolicy", input, "attemptId options");
      const response = person.device.get(options);
      return (await mutate("createCheckoutPolicy", { attemptId, response }, "policy { policyId }")).policy.policyId;
    },
    async approve(answer) {
      const id = approvalIdOf(answer);
      const { options } = await mutate("startPurchaseApproval", { id }, "options");
      await mutate("approvePurchase", { id, response: person.device.get(options) }, "approval { status }");
    },
    async deny(answer) {
      await mutate("denyPurchase", { id: approvalIdOf(answer) }, "approval { status }");
    },
  };
}
