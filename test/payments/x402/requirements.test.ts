import { encodePaymentRequiredHeader } from "@x402/core/http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseRequirement, NoAcceptableRequirementError } from "../../../src/payments/x402/choice.ts";
import { assertWellFormed, parsePaymentRequired } from "../../../src/payments/x402/requirements.ts";
import { InvalidRequestError, ServiceError } from "../../../src/platform/errors.ts";
import { ANY_NETWORK, bodyV1, bodyV2, entryV1, entryV2, PAYEE, solanaEntry, sponsoring, UPTO_V2 } from "./fixtures.ts";

/** Parses a caller's input, of which at least one entry must be well-formed. */
function parse(body: unknown) {
  const required = parsePaymentRequired({ body });
  assertWellFormed(required);
  return required;
}

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
    [{ accepts: Array(1_025).fill(entryV1()) }, "paymentRequirements.accepts"],
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

  it("with a thousand entries is parsed, and the last one can be chosen", () => {
    const others = Array.from({ length: 999 }, (_, n) => entryV1({ network: `eip155:${500_000 + n}` }));
    const { chosen } = chooseRequirement(parse(bodyV1(...others, entryV1())), ANY_NETWORK);
    expect(chosen.index).toBe(999);
  });

  it("in a header of 100 KB is parsed", () => {
    const body = { ...bodyV2(entryV2()), padding: "x".repeat(80_000) };
    const header = Buffer.from(JSON.stringify(body)).toString("base64");
    expect(parsePaymentRequired({ body: "", headers: { "payment-required": header } }).entries[0]?.ok).toBe(true);
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
          const required = parsePaymentRequired({
            body,
            headers: header === null ? {} : { "payment-required": header },
          });
          expect(required.entries.length).toBeGreaterThan(0);
          assertWellFormed(required);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          expect((error as InvalidRequestError).field).toMatch(/^paymentRequirements/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("property: an offer with one changed member", () => {
  type Document = { [member: string]: unknown; accepts: { [member: string]: unknown }[] };
  const documents: [name: string, document: Document][] = [
    ["exact, version 1", bodyV1(entryV1()) as Document],
    ["exact, version 2", bodyV2(entryV2()) as Document],
    ["upto by Permit2", sponsoring(entryV2(UPTO_V2)) as Document],
    ["exact on Solana", bodyV1(solanaEntry()) as Document],
  ];
  const absent = Symbol("absent");
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      absent,
      null,
      "",
      "60",
      "2",
      0,
      -1,
      1.5,
      1e300,
      true,
      [],
      {},
      "\u0000",
      "\ud800",
      "x".repeat(500),
    ),
    fc.jsonValue(),
    fc.string(),
  );
  const change = (object: object, member: string, to: unknown) => {
    const { [member]: _former, ...others } = object as { [name: string]: unknown };
    return to === absent ? others : { ...others, [member]: to };
  };
  it.each(documents)("%s is payable, or refused with a reason that names the member", (_name, document) => {
    const [entry] = document.accepts as [object];
    const members = [
      ...Object.keys(document),
      ...Object.keys(entry).map((member) => `accepts.${member}`),
      "accepts.extra.name",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...members), value, (path, to) => {
        const [, member = "", inner] = path.split(".");
        const extra = "extra" in entry ? (entry.extra as object) : {};
        const changed =
          member === ""
            ? change(document, path, to)
            : {
                ...document,
                accepts: [inner ? { ...entry, extra: change(extra, inner, to) } : change(entry, member, to)],
              };
        const body = JSON.stringify(changed);
        try {
          const required = parsePaymentRequired({ body });
          chooseRequirement(required, ANY_NETWORK);
        } catch (error) {
          if (!(error instanceof NoAcceptableRequirementError)) throw error;
          const name = path.split(".").at(-1) as string;
          const [{ reason, message } = { reason: null, message: "" }] = error.considered;
          expect(`${reason}: ${message}`).toContain(name);
          if (error.considered.length === 1) expect(error.message).toContain(message);
        }
      }),
      { numRuns: 1_500 },
    );
  });
});
