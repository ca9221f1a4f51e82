/** Which requests count as the same, and which errors prove that nothing was sent. */
import type { Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isUnsent } from "../../src/worker/checkout/gate/send-once.ts";
import { keyOf, operationIn } from "../../src/worker/checkout/request-key.ts";

const kindOf = (body: unknown, headers: Record<string, string> = {}) =>
  keyOf({
    url: () => "https://shop.example/api",
    method: () => "POST",
    headers: () => headers,
    postData: () => (typeof body === "string" ? body : JSON.stringify(body)),
  } as unknown as Request).kind;

describe("two requests to one endpoint", () => {
  it.each([
    [
      "anonymous GraphQL documents",
      { query: "mutation { setAddress(city: 1) { id } }" },
      { query: "mutation { placeOrder { id } }" },
    ],
    ["batches", [{ operationName: "Save" }], [{ operationName: "Save" }, { operationName: "Pay" }]],
    [
      "persisted documents",
      { extensions: { persistedQuery: { sha256Hash: "a1" } } },
      { extensions: { persistedQuery: { sha256Hash: "b2" } } },
    ],
    ["documents by id", { doc_id: "1", variables: {} }, { doc_id: "2", variables: {} }],
  ])("differ as %s", (_what, save, pay) => {
    expect(kindOf(save)).not.toBe(kindOf(pay));
  });

  it("differ by a header that selects the operation", () => {
    expect(kindOf("[1]", { "next-action": "a" })).not.toBe(kindOf("[1]", { "next-action": "b" }));
  });

  it("are the same with other values", () => {
    expect(kindOf("city=Paris")).toBe(kindOf("city=Oslo"));
    expect(kindOf({ query: "Paris" })).toBe(kindOf({ query: "Oslo" }));
    const anonymous = (city: string) => ({ query: `mutation { setAddress(city: "${city}") { id } }` });
    expect(kindOf(anonymous("Paris"))).toBe(kindOf(anonymous("Oslo")));
  });
});

it("names all operations of a batch, so that no profile permits it by its first", () => {
  expect(operationIn(JSON.stringify([{ operationName: "PollForReceipt" }]))).toBe("PollForReceipt");
  const batch = [{ operationName: "PollForReceipt" }, { operationName: "SubmitForCompletion" }];
  expect(operationIn(JSON.stringify(batch))).toBe("PollForReceipt SubmitForCompletion");
});

it("treats nothing that a merchant sent as proof that no connection existed", () => {
  const refused = "Socks5 proxy rejected connection - ConnectionRefused";
  const log = "Call log:\n  - → POST https://shop.example/pay";
  expect(isUnsent(new Error(`route.fetch: ${refused}\n${log}`))).toBe(true);
  expect(isUnsent(new Error(`route.fetch: socket hang up\n${log}\n  - ← 302 ${refused}`))).toBe(false);
});
