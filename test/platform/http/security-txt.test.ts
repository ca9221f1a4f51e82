import fastify from "fastify";
import { expect, it } from "vitest";
import { ConfigError, loadConfig } from "../../../src/platform/config/load.ts";
import { registerSecurityTxt } from "../../../src/platform/http/security-txt.ts";
import { createSite } from "../../../src/platform/http/site.ts";

async function readFile(contacts: string) {
  const app = fastify();
  registerSecurityTxt(
    app,
    loadConfig({ SECURITY_CONTACTS: contacts }),
    createSite(() => "https://pay.example", true),
  );
  return await app.inject("/.well-known/security.txt");
}

it("names the contacts, the address of the file and an expiry within a year", async () => {
  const { statusCode, headers, body } = await readFile("mailto:security@pay.example, https://pay.example/report");
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  const [, expires = ""] = /^Expires: (.+)$/m.exec(body) ?? [];
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(days > 30 && days < 365).toBe(true);
  expect(body.replace(expires, "<time>")).toBe(
    "Contact: mailto:security@pay.example\nContact: https://pay.example/report\nExpires: <time>\nCanonical: https://pay.example/.well-known/security.txt\nPreferred-Languages: en\n",
  );
});

it("does not exist without a contact", async () => {
  expect((await readFile("")).statusCode).toBe(404);
});

it.each(["security@pay.example", "http://pay.example", "mailto:a b"])("rejects the contact %s", (contact) => {
  expect(() => loadConfig({ SECURITY_CONTACTS: contact })).toThrow(ConfigError);
});
