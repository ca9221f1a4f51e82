/** Properties of redirect URIs, request bodies, client credentials, verifiers and scopes. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readBasic, readForm, readJson } from "../../rest-compat/dialects/oauth-parameters.ts";
import { isCodeChallenge, isCodeVerifier, matchesChallenge } from "../../src/oauth/pkce.ts";
import { appendParameters, isRegisteredRedirect } from "../../src/oauth/redirect-uri.ts";
import { OAUTH_SCOPES, readScopes } from "../../src/oauth/scopes.ts";

const registered = fc.constantFrom(
  "https://app.example/callback",
  "https://app.example/cb?tenant=1",
  "com.example.app:/callback",
  "http://localhost:3000/callback",
);
const CLI = {
  kind: "command_line",
  redirectUris: ["http://localhost/callback", "http://127.0.0.1/callback"],
  isRestricted: false,
} as const;

it("accepts only registered redirect URIs, byte for byte, except for the command line client", () => {
  const edit = fc.tuple(fc.nat(60), fc.nat(3), fc.string({ maxLength: 4, unit: "binary" }));
  fc.assert(
    fc.property(
      registered,
      edit,
      fc.constantFrom("confidential", "public", "automation"),
      (uri, [at, cut, put], kind) => {
        const changed = uri.slice(0, at) + put + uri.slice(at + cut);
        expect(isRegisteredRedirect({ kind, redirectUris: [uri], isRestricted: false }, changed)).toBe(changed === uri);
      },
    ),
    { numRuns: 2_000 },
  );
});

it("accepts other ports of the loopback URIs of a native client, and nothing else", () => {
  const hosts = ["localhost", "127.0.0.1", "[::1]"];
  const rest = fc.constantFrom("", "/", "/callback", "/cb?tenant=1", "/a/%2e%2e/b");
  const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: null });
  const at = (host: string, number: number | null) => `http://${host}${number === null ? "" : `:${number}`}`;
  fc.assert(
    fc.property(fc.constantFrom(...hosts), port, port, rest, (host, registeredPort, usedPort, path) => {
      const client = { kind: "native", isRestricted: false, redirectUris: [at(host, registeredPort) + path] } as const;
      expect(isRegisteredRedirect(client, at(host, usedPort) + path)).toBe(true);
      for (const kind of ["public", "confidential", "automation"] as const) {
        expect(isRegisteredRedirect({ ...client, kind }, at(host, usedPort) + path)).toBe(registeredPort === usedPort);
      }
    }),
  );
  const hostile = fc.oneof(
    fc.constantFrom(
      "127.1",
      "0x7f.1",
      "2130706433",
      "localhost.evil",
      "localhost.",
      "LOCALHOST",
      "[::1%25lo]",
      "[0:0:0:0:0:0:0:1]",
    ),
    fc.constantFrom(
      "evil@localhost",
      "localhost@evil",
      "localhost:80@evil",
      "127.0.0.1\\.evil",
      "localhost%2eevil",
      "127.0.0.2",
      "",
    ),
    fc.string({ maxLength: 12, unit: "binary" }),
  );
  const tail = fc.oneof(
    fc.constantFrom(
      "/callback",
      "/callback/",
      "/callback/../x",
      "/%63allback",
      "/callback#x",
      "\\callback",
      "/callback?x",
    ),
    fc.string({ maxLength: 6, unit: "binary" }),
  );
  const number = fc.oneof(
    fc.constantFrom("", ":", ":0", ":01", ":65536", ":8080", ":+80", ":８０"),
    fc.string({ maxLength: 6 }),
  );
  const client = {
    kind: "native",
    isRestricted: false,
    redirectUris: hosts.map((host) => `http://${host}/callback`),
  } as const;
  fc.assert(
    fc.property(
      fc.constantFrom("http", "https", "HTTP", "http:", "ftp"),
      fc.oneof(fc.constantFrom(...hosts), hostile),
      number,
      tail,
      (scheme, host, suffix, path) => {
        const uri = `${scheme}://${host}${suffix}${path}`;
        if (!isRegisteredRedirect(client, uri)) return;
        expect(uri).toMatch(/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[1-9]\d{0,4})?\/callback$/);
        const url = new URL(uri);
        expect(hosts).toContain(url.hostname);
        expect(url.pathname + url.search + url.hash + url.username).toBe("/callback");
      },
    ),
    { numRuns: 5_000 },
  );
});

it("accepts only http://<loopback>:<port>/callback for the command line client", () => {
  const port = fc.oneof(fc.integer({ min: -5, max: 70_000 }).map(String), fc.string({ maxLength: 6 }));
  const host = fc.oneof(
    fc.constantFrom("localhost", "127.0.0.1"),
    fc.domain(),
    fc.ipV4(),
    fc.string({ maxLength: 12 }),
  );
  const path = fc.oneof(fc.constant("/callback"), fc.webPath());
  fc.assert(
    fc.property(fc.constantFrom("http", "https", "HTTP"), host, port, path, (scheme, hostName, portNumber, suffix) => {
      const uri = `${scheme}://${hostName}:${portNumber}${suffix}`;
      if (!isRegisteredRedirect(CLI, uri)) return;
      const url = new URL(uri);
      expect(url.protocol).toBe("http:");
      expect(["localhost", "127.0.0.1"]).toContain(url.hostname);
      expect(url.pathname + url.search + url.hash + url.username).toBe("/callback");
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(
      fc.constantFrom("localhost", "127.0.0.1"),
      fc.integer({ min: 1, max: 65_535 }),
      (hostName, portNumber) => isRegisteredRedirect(CLI, `http://${hostName}:${portNumber}/callback`),
    ),
  );
});

it("appends parameters to a redirect URI that decode to the same values, without other changes", () => {
  const value = fc.string({ unit: "binary", maxLength: 40 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(registered, value, value, (uri, state, code) => {
      const url = appendParameters(uri, { code, state, iss: null });
      expect(url.startsWith(uri)).toBe(true);
      const added = new URLSearchParams(url.slice(uri.length + 1));
      expect([...added.keys()]).toEqual(["code", "state"]);
      // The values survive form decoding, which treats % and + specially.
      expect([added.get("code"), added.get("state")]).toEqual([code, state]);
    }),
  );
});

it("reads the same parameters from a form and from JSON", () => {
  const name = fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).filter((text) => text.isWellFormed());
  const parameters = fc.uniqueArray(fc.tuple(name, name), { selector: ([key]) => key, maxLength: 8 });
  fc.assert(
    fc.property(parameters, fc.boolean(), (given, isIndented) => {
      const byName = (a: readonly string[], b: readonly string[]) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1);
      const form = readForm(String(new URLSearchParams(given))).toSorted(byName);
      const json = readJson(
        JSON.stringify(Object.fromEntries(given), null, isIndented ? 2 : 0),
        Object.keys(Object.fromEntries(given)),
      ).toSorted(byName);
      expect(json).toEqual(form);
      expect(form).toEqual(given.toSorted(byName));
    }),
    { numRuns: 1_000 },
  );
});

it("detects duplicate names in JSON, regardless of escapes and whitespace", () => {
  const text = fc.string({ unit: "binary", maxLength: 12 }).filter((value) => value.isWellFormed());
  fc.assert(
    fc.property(text, text, text, (name, first, second) => {
      const [key, a, b] = [name, first, second].map((value) => JSON.stringify(value));
      const escaped = `"${[...name].map((char) => [...char].map(escapeUnits).join("")).join("")}"`;
      expect(
        readJson(`{${key}:${a}, "other" : "x",\n${escaped} :${b}}`, [name, "other"]).filter(([found]) => found === name)
          .length,
      ).toBe(name === "other" ? 3 : 2);
    }),
  );
});

function escapeUnits(char: string): string {
  return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(
    "",
  );
}

it("ignores names in nested JSON", () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (code, ignored) => {
      const nested = { code: "other", list: [{ code: "other" }], ignored };
      expect(readJson(JSON.stringify({ meta: nested, code, more: [nested] }), ["code"])).toEqual([["code", code]]);
    }),
  );
});

it("rejects JSON values other than strings", () => {
  const other = fc.jsonValue().filter((value) => typeof value !== "string" && value !== null);
  fc.assert(
    fc.property(other, (value) => {
      expect(() => readJson(JSON.stringify({ grant_type: value }), ["grant_type"])).toThrow("must be a string");
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.string(), fc.integer(), fc.constant(null)), (value) => {
      expect(() => readJson(JSON.stringify(value), [])).toThrow("must be a JSON object");
    }),
  );
});

it("decodes client id and secret from HTTP Basic and ignores other headers", () => {
  const part = fc.string({ unit: "binary", maxLength: 20 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(part, part, (clientId, clientSecret) => {
      const text = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
      expect(readBasic(`Basic ${Buffer.from(text).toString("base64")}`)).toEqual({ clientId, clientSecret });
    }),
  );
  fc.assert(fc.property(fc.string(), (header) => /^basic\b/i.test(header) || readBasic(header) === null));
});

it("matches a verifier only with its own challenge", () => {
  const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"];
  const verifier = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 43, maxLength: 128 });
  fc.assert(
    fc.property(verifier, verifier, (one, other) => {
      const challenge = createHash("sha256").update(one).digest("base64url");
      expect(isCodeVerifier(one) && isCodeChallenge(challenge)).toBe(true);
      expect(matchesChallenge(one, challenge)).toBe(true);
      expect(matchesChallenge(other, challenge)).toBe(one === other);
    }),
  );
});

it("returns known scopes without duplicates and rejects unknown ones", () => {
  const name = fc.oneof(fc.constantFrom(...OAUTH_SCOPES), fc.string({ maxLength: 8 }));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), (names) => {
      const words = names.join(" ").split(" ").filter(Boolean);
      const isKnown = words.every((word) => (OAUTH_SCOPES as readonly string[]).includes(word));
      const expected = words.length === 0 ? ["payments:sign", "balance:read"] : [...new Set(words)];
      if (isKnown) expect(readScopes(names.join(" "))).toEqual(expected);
      else expect(() => readScopes(names.join(" "))).toThrow("separated by spaces");
    }),
  );
});
