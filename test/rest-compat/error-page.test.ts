/** `docs/errors.md` covers every code of the service and of OAuth. That the committed page is current is a test of the SDL. */
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

it.each(Object.entries(STATUS))("%s stands with its status, %i", (code, status) => {
  expect(statusesOf(code)).toContain(status);
});

it.each(OAUTH_ERROR_NAMES)("OAuth's %s has a row", (name) => {
  expect(statusesOf(name)).not.toEqual([]);
});

it("no row is without a meaning or a next step", () => {
  for (const cells of rows) expect(cells.every((cell) => cell.replace(/[|\s]/g, "") !== "")).toBe(true);
});
