/** `docs/errors.md` covers every code of the service and of OAuth. The SDL test checks that the committed page is current. */
import { expect, it } from "vitest";
import { errorPage } from "../../rest-compat/error-page.ts";
import { STATUS } from "../../rest-compat/status.ts";
import { OAUTH_ERROR_NAMES } from "../../src/oauth/oauth-protocol-error.ts";

const rows = errorPage()
  .split("\n")
  .map((line) => line.split(" | "))
  .filter((cells) => cells.length === 4);
const statusesOf = (code: string) =>
  rows.filter(([first]) => first === `| \`${code}\``).map(([, status]) => Number(status));

it.each(Object.entries(STATUS))("lists %s with its status, %i", (code, status) => {
  expect(statusesOf(code)).toContain(status);
});

it.each(OAUTH_ERROR_NAMES)("lists the OAuth error %s", (name) => {
  expect(statusesOf(name)).not.toEqual([]);
});

it("every row has a meaning and a next step", () => {
  for (const cells of rows) expect(cells.every((cell) => cell.replace(/[|\s]/g, "") !== "")).toBe(true);
});
