import { encodePaymentRequiredHeader } from "@x402/core/http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePaymentRequired } from "../../../src/payments/x402/requirements.ts";
import { InvalidRequestError, ServiceError } from "../../../src/platform/errors.ts";
import { bodyV1, bodyV2, entryV1, entryV2, PAYEE, solanaEntry } from "./fixtures.ts";

const parse = (body: unknown) => parsePaymentRequired({ body });
describe("a 402 answer", () => {
  it("of version 1 is parsed from the body", () => {
    const { entries, error } = parse(bodyV1(entryV1()));
    expect(error).toBe("X-PAYMENT header is required");
    expect(entries).toMatchObject([
      {
        ok: true,
        requirement: {
          x402Version: 1,
          scheme: "exact",
          method: "eip3009",
          amountAtomic: 10_000n,
          amountMicroUsd: 10_000n,
          payTo: PAYEE,
          maxTimeoutSeconds: 60,
          resource: "https://merchant.example/weather",
          description: "Weather",
          echo: { network: "base-sepolia", accepted: null },
        },
      },
    ]);
  });

  it("of version 2 is parsed from the reference's header, and the body is ignored", () => {
    const header = encodePaymentRequiredHeader(bodyV2(entryV2()) as never);
    const { entries } = parsePaymentRequired({ body: {}, headers: { "Payment-Required": header } });
    const [entry] = entries;
    if (!entry?.ok) throw new Error("The entry was refused.");
    expect(entry.requirement).toMatchObject({ x402Version: 2, amountAtomic: 10_000n });
    expect(entry.requirement.echo.accepted).toEqual(entryV2());
    expect(entry.requirement.echo.resource).toEqual(bodyV2()["resource"]);
    expect(entry.requirement.resource).toBe("https://merchant.example/weather");
  });

  it("falls back to the body if the header is invalid", () => {
    const headers = { "payment-required": ["%%%"] };
    expect(parsePaymentRequired({ body: bodyV1(entryV1()), headers }).entries[0]?.ok).toBe(true);
  });

  it.each([
    ["an array", [entryV1()]],
    ["a single entry", entryV1()],
    ["an object with only accepts", { accepts: [entryV1()] }],
    ["JSON text", JSON.stringify(bodyV1(entryV1()))],
    ["version 2's header value", Buffer.from(JSON.stringify(bodyV2(entryV2()))).toString("base64url")],
    ["version 2's body", bodyV2(entryV2())],
  ])("may be passed as %s", (_name, body) => {
    expect(parse(body).entries).toMatchObject([{ index: 0, ok: true }]);
  });

  it("without a version is parsed by the members of each entry", () => {
    const versions = parse([entryV1(), entryV2()]).entries.map((it) => it.ok && it.requirement.x402Version);
    expect(versions).toEqual([1, 2]);
  });

  it.each([
    [null, "paymentRequirements"],
    ["nonsense", "paymentRequirements"],
    [{}, "paymentRequirements.accepts"],
    [{ accepts: {} }, "paymentRequirements.accepts"],
    [{ accepts: [] }, "paymentRequirements.accepts"],
    [{ x402Version: 3, accepts: [entryV1()] }, "paymentRequirements.x402Version"],
    [{ accepts: Array(65).fill(entryV1()) }, "paymentRequirements.accepts"],
    [bodyV1(entryV1({ payTo: "0x12" })), "paymentRequirements.accepts[0].payTo"],
    [[entryV1({ maxAmountRequired: "1.5" })], "paymentRequirements[0].maxAmountRequired"],
    [entryV1({ maxAmountRequired: undefined, amount: undefined }), "paymentRequirements.amount"],
    [bodyV1(entryV1({ maxAmountRequired: undefined })), "paymentRequirements.accepts[0].maxAmountRequired"],
    [bodyV1(entryV1({ maxTimeoutSeconds: "60" })), "paymentRequirements.accepts[0].maxTimeoutSeconds"],
    [bodyV1(entryV1({ maxTimeoutSeconds: 0 })), "paymentRequirements.accepts[0].maxTimeoutSeconds"],
    [bodyV1(entryV1({ extra: "x" })), "paymentRequirements.accepts[0].extra"],
    [bodyV1(solanaEntry({ extra: {} })), "paymentRequirements.accepts[0].extra.feePayer"],
    [bodyV1(42), "paymentRequirements.accepts[0]"],
  ])("that is entirely unusable fails with the field (%#)", (body, field) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_request", field }));
  });

  it("nested a hundred thousand levels deep is rejected without a stack overflow", () => {
    const extra = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    expect(() => parse(bodyV1(entryV1({ extra })))).toThrow(InvalidRequestError);
  });
});

describe("property: any document", () => {
  const changes = fc.record(
    Object.fromEntries(
      [...Object.keys(entryV1()), "amount"].map((key) => [key, fc.oneof(fc.jsonValue(), fc.string())]),
    ),
    { requiredKeys: [] },
  );
  const entry = fc.oneof(
    fc.jsonValue(),
    changes.map((it) => entryV1(it)),
    changes.map((it) => entryV2(it)),
    changes.map((it) => solanaEntry(it)),
  );
  const document = fc.oneof(
    fc.jsonValue(),
    fc.string(),
    entry,
    fc.array(entry),
    fc.record({
      x402Version: fc.oneof(fc.constantFrom(1, 2), fc.jsonValue()),
      accepts: fc.array(entry),
      resource: fc.jsonValue(),
    }),
  );

  it("gives entries or an InvalidRequestError with a field, and no other error", () => {
    fc.assert(
      fc.property(document, fc.option(fc.string()), (body, header) => {
        try {
          const { entries } = parsePaymentRequired({
            body,
            headers: header === null ? {} : { "payment-required": header },
          });
          expect(entries.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          expect((error as InvalidRequestError).field).toMatch(/^paymentRequirements/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
