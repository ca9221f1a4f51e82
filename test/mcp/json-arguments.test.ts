import { expect, it } from "vitest";
import { parseJsonArguments } from "../../mcp/json-arguments.ts";

const PROPERTIES = {
  count: { type: "integer" },
  ratio: { type: "number" },
  isOn: { type: "boolean" },
  list: { type: "array" },
  body: { anyOf: [{ type: "object" }, { type: "array" }] },
  text: { type: "string" },
  either: { anyOf: [{ type: "string" }, { type: "object" }] },
};

it("parses texts where the schema permits no text", () => {
  const given = { count: "5", ratio: "0.5", isOn: "true", list: "[1]", body: '{"a":1}', text: "5", either: '{"a":1}' };
  expect(parseJsonArguments(PROPERTIES, given)).toEqual({
    ...{ count: 5, ratio: 0.5, isOn: true, list: [1], body: { a: 1 } },
    ...{ text: "5", either: '{"a":1}' },
  });
});

it("leaves what is no JSON of the permitted type to the validation", () => {
  const given = { count: "0.5", ratio: "x", isOn: "1", list: "{}", body: "5", unknown: "5", toString: "1" };
  expect(parseJsonArguments(PROPERTIES, given)).toEqual(given);
});
