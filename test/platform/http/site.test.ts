import { describe, expect, it } from "vitest";
import { findRelyingParty } from "../../../src/accounts/sign-in/relying-party.ts";
import { formatSubject, parseSubject } from "../../../src/accounts/subject.ts";
import { canonicalRedirectUrl, createSite } from "../../../src/platform/http/site.ts";

const siteAt = (baseUrl: string) => createSite(() => baseUrl, baseUrl.startsWith("https:"));

describe("browserUrl", () => {
  it.each([
    ["http://127.0.0.1:4000", "http://localhost:4000", { id: "localhost", origin: "http://localhost:4000" }],
    ["http://[::1]:4000", "http://localhost:4000", { id: "localhost", origin: "http://localhost:4000" }],
    ["http://localhost:4000", "http://localhost:4000", { id: "localhost", origin: "http://localhost:4000" }],
    [
      "https://satchel.example",
      "https://satchel.example",
      { id: "satchel.example", origin: "https://satchel.example" },
    ],
    [
      "https://satchel.example/base",
      "https://satchel.example/base",
      { id: "satchel.example", origin: "https://satchel.example" },
    ],
    // Browsers reject passkeys on http and on IP addresses.
    ["http://satchel.example", "http://satchel.example", null],
    ["https://192.0.2.1", "https://192.0.2.1", null],
  ])("of %s is %s", (baseUrl, browserUrl, party) => {
    expect(siteAt(baseUrl).browserUrl()).toBe(browserUrl);
    expect(findRelyingParty(siteAt(baseUrl))).toEqual(party);
  });

  it("is the redirect target for requests to a loopback IP address, and for no other host", () => {
    const local = siteAt("http://127.0.0.1:4000");
    expect(canonicalRedirectUrl(local, "127.0.0.1:4000", "/sign-in?a=1")).toBe("http://localhost:4000/sign-in?a=1");
    expect(canonicalRedirectUrl(local, "[::1]:4000", "/")).toBe("http://localhost:4000/");
    for (const host of [
      "localhost:4000",
      "127.0.0.1:4001",
      "evil.example",
      "evil.example:4000",
      "",
      undefined,
      "a b",
    ]) {
      expect(canonicalRedirectUrl(local, host, "/")).toBeNull();
    }
    expect(canonicalRedirectUrl(siteAt("https://satchel.example"), "127.0.0.1", "/")).toBeNull();
  });
});

describe("a subject", () => {
  const id = "3f2b6a52-6c0e-4c5e-9d0a-2a6f3b1c9e77";

  it.each([
    ["http://127.0.0.1:4000", `did:web:127.0.0.1%3A4000:users:${id}`],
    ["https://satchel.example", `did:web:satchel.example:users:${id}`],
  ])("at %s is %s, and identifies the account only there", (baseUrl, subject) => {
    expect(formatSubject(baseUrl, id)).toBe(subject);
    expect(parseSubject(baseUrl, subject)).toBe(id);
    expect(parseSubject("https://other.example", subject)).toBeNull();
    for (const wrong of [`${subject}x`, subject.slice(0, -1), subject.toUpperCase(), id, "", null, 1]) {
      expect(parseSubject(baseUrl, wrong)).toBeNull();
    }
  });
});
