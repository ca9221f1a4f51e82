/** Scalars reject values that do not exist, as a variable and as a literal, and say what is wrong. */
import fc from "fast-check";
import { isScalarType, Kind, parseValue, type ValueNode } from "graphql";
import { describe, expect, it } from "vitest";
import { buildSchema } from "../../schema/schema.ts";
import { InvalidValue } from "../../src/platform/graphql/invalid-value.ts";

const schema = buildSchema();

function scalarOf(name: string) {
  const type = schema.getType(name);
  if (!isScalarType(type)) throw new Error(`The scalar ${name} is missing.`);
  return type;
}

/** Returns the value, or the reason of its rejection. */
function read(input: () => unknown): unknown {
  try {
    const value = input();
    return value instanceof InvalidValue ? value.reason : value;
  } catch (error) {
    if (error instanceof InvalidValue) return error.reason;
    throw error;
  }
}
const readVariable = (name: string, value: unknown) => read(() => scalarOf(name).parseValue(value));
const readLiteral = (name: string, text: string) => read(() => scalarOf(name).parseLiteral(parseValue(text), {}));

describe("DateTime", () => {
  it.each([
    ["2027-02-30T00:00:00Z", "names a day that does not exist: 2027-02 has 28 days"],
    ["2026-04-31T00:00:00Z", "names a day that does not exist: 2026-04 has 30 days"],
    ["2025-02-29T00:00:00Z", "names a day that does not exist: 2025-02 has 28 days"],
    ["2100-02-29T00:00:00Z", "names a day that does not exist: 2100-02 has 28 days"],
    ["2026-01-00T00:00:00Z", "names a day that does not exist: 2026-01 has 31 days"],
    ["2026-13-01T00:00:00Z", "names a month that does not exist"],
    ["2026-00-01T00:00:00Z", "names a month that does not exist"],
    ["2026-01-01T24:00:00Z", "names a time that does not exist"],
    ["2026-01-01T23:60:00Z", "names a time that does not exist"],
    ["2016-12-31T23:59:60Z", "names a time that does not exist"],
    ["2026-01-01T00:00:00+24:00", "names a UTC offset that does not exist"],
    ["2026-01-01T00:00:00-01:60", "names a UTC offset that does not exist"],
    ["1970-01-01T00:30:00+01:00", "must be from 1970 to 9999"],
    ["9999-12-31T23:30:00-01:00", "must be from 1970 to 9999"],
    ["-0001-01-01T00:00:00Z", "must be an ISO 8601 timestamp"],
    ["2026-01-01", "must be an ISO 8601 timestamp"],
    ["2026-01-01T00:00:00", "must be an ISO 8601 timestamp"],
    [" 2026-01-01T00:00:00Z", "must be an ISO 8601 timestamp"],
    ["２026-01-01T00:00:00Z", "must be an ISO 8601 timestamp"],
  ])("rejects %s: %s", (text, reason) => {
    expect(readVariable("DateTime", text)).toContain(reason);
    expect(readLiteral("DateTime", JSON.stringify(text))).toContain(reason);
  });

  it.each([
    ["2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59.999Z"],
    ["2000-02-29T00:00Z", "2000-02-29T00:00:00.000Z"],
    ["2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00.000Z"],
    ["2026-01-01T00:00:00+14:00", "2025-12-31T10:00:00.000Z"],
  ])("reads %s as %s", (text, time) => {
    expect(readVariable("DateTime", text)).toEqual(new Date(time));
    expect(readLiteral("DateTime", JSON.stringify(text))).toEqual(new Date(time));
  });

  it("accepts exactly the days of the calendar", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1970, max: 9998 }),
        fc.integer({ min: 0, max: 14 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}T12:00:00Z`;
          const time = new Date(Date.UTC(year, month - 1, day, 12));
          const exists = time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
          expect(readVariable("DateTime", text) instanceof Date).toBe(exists);
          if (exists) expect(readVariable("DateTime", text)).toEqual(time);
        },
      ),
    );
  });
});

describe("Url", () => {
  it.each([
    "",
    "x",
    "/path",
    "//host/x",
    "http://",
    "https://",
    "http://[::1",
    "http://a b/",
    "https://x:99999/",
    "example.com",
  ])("rejects %j", (text) => {
    expect(readVariable("Url", text)).toBe("must be an absolute http or https URL");
    expect(readLiteral("Url", JSON.stringify(text))).toBe("must be an absolute http or https URL");
  });

  it("accepts an absolute URL unchanged, and rejects an overlong one", () => {
    expect(readVariable("Url", "HTTPS://Shop.example/a?b")).toBe("HTTPS://Shop.example/a?b");
    expect(readVariable("Url", `https://a.example/${"x".repeat(8_192)}`)).toBe("must have at most 8192 characters");
  });
});

describe("amounts", () => {
  const MAX = (2n ** 256n - 1n).toString();
  it.each([
    ["AtomicAmount", "-1"],
    ["AtomicAmount", "1.0"],
    ["AtomicAmount", "1e3"],
    ["AtomicAmount", ""],
    ["AtomicAmount", "0x10"],
    ["AtomicAmount", "２"],
    ["AtomicAmount", (2n ** 256n).toString()],
    ["AtomicAmount", -1],
    ["Usd", "-1"],
    ["Usd", "-0"],
    ["Usd", "1e3"],
    ["Usd", ".5"],
    ["Usd", "0.0000001"],
    ["Usd", "1000000000.01"],
    ["Usd", 1],
    ["MinorAmount", 1.5],
    ["MinorAmount", 2 ** 53],
    ["MinorAmount", -(2 ** 53)],
    ["MinorAmount", "1"],
    ["MinorAmount", true],
  ])("%s rejects %j with a reason", (name, value) => {
    expect(readVariable(name, value)).toMatch(/^(?:must|may|is) /);
    expect(readLiteral(name, JSON.stringify(value))).toMatch(/^(?:must|may|is) /);
  });

  it("accept their extremes", () => {
    expect(readVariable("AtomicAmount", MAX)).toBe(2n ** 256n - 1n);
    expect(readLiteral("AtomicAmount", MAX)).toBe(2n ** 256n - 1n);
    expect(readVariable("Usd", "1000000000")).toBe(10n ** 15n);
    expect(readLiteral("MinorAmount", "9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("MinorAmount reads minus zero as zero, and rejects the literal 1.0", () => {
    expect(readVariable("MinorAmount", -0)).toBe(0);
    expect(readLiteral("MinorAmount", "-0")).toBe(0);
    expect(readLiteral("MinorAmount", "1.0")).toBe("must be an integer in minor units");
    expect(readLiteral("MinorAmount", "9007199254740993")).toBe("must be an integer in minor units");
  });
});

describe("JSON", () => {
  it.each(["1e999", "-1e999", "9007199254740993", "0.12345678901234567890", "{ a: [1, { b: 1e400 }] }"])(
    "rejects the literal %s",
    (text) => {
      expect(readLiteral("JSON", text)).toContain("contains a number beyond the range or precision of a double");
    },
  );

  it.each([
    ["0.1", 0.1],
    ["1e21", 1e21],
    ["100000000000000000000000", 1e23],
    ["-0.000", -0],
    ["5e-324", 5e-324],
    ["1.50", 1.5],
  ])("reads %s", (text, value) => {
    expect(readLiteral("JSON", text)).toEqual(value);
  });

  it("reads every double from its shortest literal", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const node: ValueNode = { kind: Kind.FLOAT, value: String(value) };
        expect(read(() => scalarOf("JSON").parseLiteral(node, {}))).toBe(value + 0);
      }),
    );
  });

  it("inserts variables, and rejects those of another scalar", () => {
    const literal = parseValue("{ a: $a, list: [$b] }");
    expect(scalarOf("JSON").parseLiteral(literal, { a: { x: 1 }, b: "y" })).toEqual({ a: { x: 1 }, list: ["y"] });
    expect(read(() => scalarOf("JSON").parseLiteral(literal, { a: 5n }))).toContain("must not contain a variable");
  });
});

it("every scalar passes an InvalidValue on, and never throws for a literal", () => {
  const invalid = new InvalidValue("X", "is invalid");
  for (const name of ["Usd", "AtomicAmount", "MinorAmount", "DateTime", "Url", "NetworkName"]) {
    expect(scalarOf(name).parseValue(invalid)).toBe(invalid);
    for (const text of ['"?"', "1", "1.5", "true", "RED", "{ a: 1 }", "[1]"]) {
      expect(() => scalarOf(name).parseLiteral(parseValue(text), {})).not.toThrow();
    }
  }
});
