/** Registration and changes of applications (spec section 2.2) over GraphQL. */
import { beforeAll, describe, expect, it } from "vitest";
import { hashToken, isWellFormedToken } from "../../src/accounts/secret-token.ts";
import { ADMIN_TOKEN, type Stack, sharedStack } from "../support/stack.ts";
import { type ClientsApi, createClientsApi, STEPS } from "./clients-fixture.ts";

let stack: Stack;
let clients: ClientsApi;

beforeAll(async () => {
  stack = await sharedStack();
  clients = createClientsApi(stack);
});

const rowOf = (clientId: string) =>
  stack.service.deps.db.prisma.oAuthClient.findUniqueOrThrow({ where: { id: clientId } });

const DAY_SECONDS = 86_400;

describe("a registration", () => {
  it("stores the three steps and has the status PENDING_APPROVAL", async () => {
    const { token, accountId } = await stack.account();
    const { client } = await clients.register(token);
    const { acceptTerms: _, ...oauth } = STEPS.oauth;
    expect(client).toMatchObject({
      kind: "CONFIDENTIAL",
      status: "PENDING_APPROVAL",
      statusReason: null,
      responsible: STEPS.responsible,
      app: STEPS.app,
      ...oauth,
      requireSecretOnRefresh: false,
      strictScopes: true,
      accessTokenLifetimeSeconds: 60 * DAY_SECONDS,
      reviews: [{ fromStatus: null, toStatus: "PENDING_APPROVAL", reason: null }],
    });
    expect(client.clientId).toMatch(/^cl_\d{13}_\w{12}$/);
    expect(await rowOf(client.clientId)).toMatchObject({ accountId, kind: "confidential", status: "pending_approval" });
    expect(await clients.read(token, client.id)).toEqual(client);
  });

  it("shows its secret once and stores only the hash", async () => {
    const { token } = await stack.account();
    const { client, secret } = await clients.register(token);
    expect(isWellFormedToken(secret, "satchel_cs_")).toBe(true);
    expect(client.secretHint).toBe(secret.slice(-4));
    const row = await rowOf(client.clientId);
    expect(Buffer.from(row.secretHash ?? [])).toEqual(Buffer.from(hashToken(secret)));
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(await clients.read(token, client.id))).not.toContain(secret);
  });

  it("enforces scopes unless it has the waiver", async () => {
    const { token } = await stack.account();
    const { client } = await clients.register(token, { strictScopes: false });
    expect(client.strictScopes).toBe(false);
    expect((await rowOf(client.clientId)).strictScopes).toBe(false);
  });

  it.each(["PUBLIC", "NATIVE"])("of a %s client has no secret, and none can be created", async (kind) => {
    const { token } = await stack.account();
    const { client, secret } = await clients.register(token, { kind });
    expect(secret).toBeNull();
    expect(client).toMatchObject({
      secretHint: null,
      secretCreatedAt: null,
      accessTokenLifetimeSeconds: 30 * DAY_SECONDS,
    });
    expect(await clients.rotate(token, client.id)).toMatchObject({
      code: "INVALID_REQUEST",
      field: "id",
      message: expect.stringContaining("public client has no secret"),
    });
    expect(await rowOf(client.clientId)).toMatchObject({ secretHash: null, secretHint: null });
  });

  it("may shorten the lifetime of access tokens, at most to the default of its kind", async () => {
    const { token } = await stack.account();
    const field = "accessTokenLifetimeSeconds";
    for (const [kind, seconds] of [
      ["PUBLIC", 59],
      ["PUBLIC", 30 * DAY_SECONDS + 1],
      ["CONFIDENTIAL", -1],
    ] as const) {
      expect(await clients.register(token, { kind, [field]: seconds })).toMatchObject({
        code: "INVALID_REQUEST",
        field,
      });
    }
    const { client } = await clients.register(token, { [field]: 60 });
    expect(client[field]).toBe(60);
    expect(await clients.update(token, { id: client.id, [field]: 60 * DAY_SECONDS + 1 })).toMatchObject({ field });
    expect((await clients.update(token, { id: client.id, [field]: 600 })).client[field]).toBe(600);
    expect((await clients.update(token, { id: client.id, app: {} })).client[field]).toBe(600);
  });

  it.each(["XX", "EU", "Portugal", "gb"])("rejects the country %s", async (country) => {
    const { token } = await stack.account();
    const { field } = await clients.register(token, { responsible: { ...STEPS.responsible, country } });
    expect(field).toBe("responsible.country");
  });

  it("trims texts and leaves optional lists empty", async () => {
    const { token } = await stack.account();
    const { client } = await clients.register(token, {
      kind: "PUBLIC",
      responsible: { ...STEPS.responsible, fullName: "  Ada  ", country: "GB" },
      app: { appName: " Tide Pool ", supportEmail: " help@tide.example " },
      oauth: { redirectUris: ["http://[::1]:8080/cb", "http://127.0.0.1/cb?x=%2F"], acceptTerms: true },
    });
    expect(client).toMatchObject({
      kind: "PUBLIC",
      responsible: { fullName: "Ada", country: "GB" },
      app: { appName: "Tide Pool", supportEmail: "help@tide.example", contactEmails: [] },
      javascriptOrigins: [],
      redirectUris: ["http://[::1]:8080/cb", "http://127.0.0.1/cb?x=%2F"],
    });
  });

  it("requires a credential that may change the account", async () => {
    const narrow = await stack.account({ token: { scopes: ["payments:sign"] } });
    expect(await clients.register(narrow.token)).toMatchObject({ code: "FORBIDDEN" });
    expect((await clients.register(null)).errors[0].extensions.code).toBe("unauthorized");
    expect((await clients.register(ADMIN_TOKEN)).errors[0].extensions.code).toBe("unauthorized");
  });
});

describe("validation", () => {
  const many = (count: number, one: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => one(index));
  const cases: Record<string, [field: string, step: "responsible" | "app" | "oauth", value: unknown][]> = {
    "the responsible party": [
      ["fullName", "responsible", "  "],
      ["fullName", "responsible", "x".repeat(201)],
      ["fullName", "responsible", "Ada\u202eecalevoL"],
      ["phone", "responsible", "call me"],
      ["phone", "responsible", "12345"],
      ["phone", "responsible", "+1234567890123456"],
      ["address", "responsible", ""],
      ["address", "responsible", "x".repeat(501)],
    ],
    "app information": [
      ["appName", "app", ""],
      ["appName", "app", "x".repeat(61)],
      ["appName", "app", "Two\nlines"],
      ["appName", "app", "zero\u200bwidth"],
      ["supportEmail", "app", "not-an-address"],
      ["supportEmail", "app", "a@b.example, c@d.example"],
      ["supportEmail", "app", `${"x".repeat(250)}@a.example`],
      ["contactEmails.1", "app", ["ok@a.example", "Ada <ada@a.example>"]],
      ["contactEmails", "app", many(51, (index) => `p${index}@a.example`)],
    ],
    "redirect URIs": [
      ["redirectUris", "oauth", []],
      ["redirectUris", "oauth", many(21, (index) => `https://a.example/${index}`)],
      ["redirectUris.1", "oauth", ["https://a.example/cb", "https://a.example/cb"]],
      ...[
        "/callback",
        "app.example/callback",
        "http://app.example/callback",
        "http://localhost.evil.example/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://127.1/callback",
        "http://localhost@evil.example/callback",
        "https://ada:secret@app.example/callback",
        "https://app.example/callback#",
        "https://app.example/callback#part",
        "https://*.app.example/callback",
        "https://app.example/*",
        "https:/app.example/callback",
        "https:\\\\app.example/callback",
        "https://app.example/call back",
        " https://app.example/callback",
        "https://app.example/callback\n",
        "https://äpp.example/callback",
        "https://app.example:99999/callback",
        "javascript://app.example/%0aalert(1)",
        "com.example.app://callback",
        `https://app.example/${"x".repeat(2_000)}`,
      ].map((uri) => ["redirectUris.0", "oauth", [uri]] as [string, "oauth", unknown]),
    ],
    "JavaScript origins": [
      ["javascriptOrigins", "oauth", many(21, (index) => `https://a${index}.example`)],
      ["javascriptOrigins.1", "oauth", ["https://a.example", "https://a.example"]],
      ...[
        "null",
        "*",
        "a.example",
        "http://a.example",
        "https://a.example/",
        "https://a.example/path",
        "https://A.example",
        "https://a.example:443",
        "https://ada@a.example",
        "https://*.a.example",
        "file:///",
      ].map((origin) => ["javascriptOrigins.0", "oauth", [origin]] as [string, "oauth", unknown]),
    ],
  };

  it.each(Object.entries(cases))("rejects invalid values of %s with the field", async (_case, invalid) => {
    const results = [];
    let token = "";
    for (const [index, [field, step, value]] of invalid.entries()) {
      // Registrations are limited per account and minute.
      if (index % 25 === 0) ({ token } = await stack.account());
      const [name = ""] = field.split(".");
      const { code, field: reported } = await clients.register(token, { [step]: { ...STEPS[step], [name]: value } });
      results.push([code, reported, value]);
    }
    expect(results).toEqual(
      invalid.map(([field, step, value]) => ["INVALID_REQUEST", `${step}.${field.replace(/\.(\d)$/, "[$1]")}`, value]),
    );
  });

  it("rejects a registration without accepted terms", async () => {
    const { token } = await stack.account();
    const oauth = { ...STEPS.oauth, acceptTerms: false };
    expect(await clients.register(token, { oauth })).toMatchObject({
      code: "INVALID_REQUEST",
      field: "oauth.acceptTerms",
    });
  });

  it("limits the rate of invalid registrations", async () => {
    const { token } = await stack.account();
    const results = await Promise.all(
      Array.from({ length: 35 }, () => clients.register(token, { app: { ...STEPS.app, appName: "" } })),
    );
    expect(new Set(results.map(({ code }) => code))).toEqual(new Set(["INVALID_REQUEST", "RATE_LIMITED"]));
  });
});

describe("an update", () => {
  it("changes only the given fields", async () => {
    const { token } = await stack.account();
    const { client } = await clients.register(token);
    const changed = await clients.update(token, {
      id: client.id,
      responsible: { phone: "+351 210 000 000" },
      app: { contactEmails: [] },
      oauth: { redirectUris: ["https://tide.example/Callback"] },
      requireSecretOnRefresh: true,
      strictScopes: false,
    });
    expect(changed.client).toEqual({
      ...client,
      responsible: { ...client.responsible, phone: "+351 210 000 000" },
      app: { ...client.app, contactEmails: [] },
      redirectUris: ["https://tide.example/Callback"],
      requireSecretOnRefresh: true,
      strictScopes: false,
      updatedAt: expect.any(String),
    });
    expect(changed.client.updatedAt > client.updatedAt).toBe(true);
    expect(await clients.update(token, { id: client.id, app: { supportEmail: "not-an-address" } })).toMatchObject({
      field: "app.supportEmail",
    });
  });

  it("is not lost under concurrent updates", async () => {
    const { token } = await stack.account();
    const { client } = await clients.register(token);
    const edits = [
      { app: { appName: "Rock Pool" } },
      { app: { supportEmail: "rock@tide.example" } },
      { responsible: { fullName: "Grace Hopper" } },
      { oauth: { javascriptOrigins: [] } },
      { strictScopes: false },
    ];
    await Promise.all(edits.map((edit) => clients.update(token, { id: client.id, ...edit })));
    expect(await clients.read(token, client.id)).toMatchObject({
      app: { appName: "Rock Pool", supportEmail: "rock@tide.example" },
      responsible: { fullName: "Grace Hopper" },
      javascriptOrigins: [],
      strictScopes: false,
    });
  });

  it("of an approved application cannot change its responsible party", async () => {
    const { token } = await stack.account();
    const { client } = await clients.register(token);
    await clients.review({ id: client.id, decision: "APPROVE" });
    for (const [field, value] of Object.entries({
      fullName: "Eve",
      phone: "+351 210 000 001",
      country: "PT",
      address: "Elsewhere",
    })) {
      expect(await clients.update(token, { id: client.id, responsible: { [field]: value } })).toMatchObject({
        __typename: "LockedFieldError",
        code: "LOCKED_FIELD",
        field: `responsible.${field}`,
      });
    }
    // Forms send all fields; unchanged values are not a change.
    const same = await clients.update(token, {
      id: client.id,
      responsible: client.responsible,
      app: { appName: "Rock Pool" },
    });
    expect(same.client).toMatchObject({
      status: "APPROVED",
      responsible: client.responsible,
      app: { appName: "Rock Pool" },
    });
  });

  it("of an approved application's redirect URIs is recorded and deletes pending requests for removed ones", async () => {
    const { prisma } = stack.service.deps.db;
    const { token } = await stack.account();
    const { client } = await clients.register(token);
    await clients.review({ id: client.id, decision: "APPROVE" });
    const request = (id: string, redirectUri: string) => ({
      id,
      clientId: client.clientId as string,
      redirectUri,
      state: "s",
      expiresAt: new Date(Date.now() + 600_000),
    });
    const [retained, removed] = STEPS.oauth.redirectUris as [string, string];
    await prisma.oAuthRequest.createMany({
      data: [request(`${client.clientId}-1`, retained), request(`${client.clientId}-2`, removed)],
    });
    const changed = await clients.update(token, {
      id: client.id,
      oauth: { redirectUris: [retained, "https://tide.example/other"], javascriptOrigins: [] },
    });
    expect(changed.client.status).toBe("APPROVED");
    expect(changed.client.reviews.at(-1)).toEqual({
      fromStatus: "APPROVED",
      toStatus: "APPROVED",
      reason: `Added redirect URI https://tide.example/other\nRemoved redirect URI ${removed}\nRemoved JavaScript origin https://tide.example`,
    });
    const left = await prisma.oAuthRequest.findMany({ where: { clientId: client.clientId } });
    expect(left.map(({ redirectUri }) => redirectUri)).toEqual([retained]);
  });
});

describe("a secret", () => {
  it("remains valid for the overlap after its replacement, and not without one", async () => {
    const { token } = await stack.account();
    const { client, secret: first } = await clients.register(token);
    const { prisma } = stack.service.deps.db;
    await prisma.oAuthClient.update({ where: { id: client.clientId }, data: { status: "approved" } });
    const isValid = async (secret: string) => {
      const credentials = { client_id: client.clientId, client_secret: secret };
      return (await stack.rest(null, "POST", "/oauth/introspect", { ...credentials, token: "unknown" })).status === 200;
    };
    expect(await isValid(first)).toBe(true);
    const { client: rotated, secret: second } = await clients.rotate(token, client.id);
    expect([await isValid(first), await isValid(second)]).toEqual([true, true]);
    const [current, former] = rotated.secrets;
    expect([current, former.hint]).toEqual([{ hint: second.slice(-4), expiresAt: null }, first.slice(-4)]);
    const remainingMs = Date.parse(former.expiresAt) - Date.now();
    expect(Math.round(remainingMs / 3_600_000)).toBe(24);
    await prisma.oAuthClient.update({ where: { id: client.clientId }, data: { formerSecretExpiresAt: new Date() } });
    expect([await isValid(first), await isValid(second)]).toEqual([false, true]);
    const { client: again, secret: third } = await clients.rotate(token, client.id, 0);
    expect([await isValid(second), await isValid(third)]).toEqual([false, true]);
    expect(again.secrets).toEqual([{ hint: third.slice(-4), expiresAt: null }]);
    expect(await clients.rotate(token, client.id, 721)).toMatchObject({ code: "INVALID_REQUEST" });
    expect(await isValid(third)).toBe(true);
  });

  it("is replaced immediately, also under concurrent rotations", async () => {
    const { token } = await stack.account();
    const { client, secret } = await clients.register(token);
    const second = await clients.rotate(token, client.id);
    expect(second.secret).not.toBe(secret);
    expect(second.client.secretHint).toBe(second.secret.slice(-4));
    const { secretHash } = await rowOf(client.clientId);
    expect(Buffer.from(secretHash ?? [])).toEqual(Buffer.from(hashToken(second.secret)));
    const many = await Promise.all(Array.from({ length: 5 }, () => clients.rotate(token, client.id)));
    const last = Buffer.from((await rowOf(client.clientId)).secretHash ?? []);
    expect(many.filter((one) => last.equals(hashToken(one.secret)))).toHaveLength(1);
  });
});

describe("another account", () => {
  it("can neither read nor change an application", async () => {
    const owner = await stack.account();
    const other = await stack.account();
    const { client } = await clients.register(owner.token);
    expect(await clients.read(other.token, client.id)).toBeNull();
    expect(await clients.update(other.token, { id: client.id, app: { appName: "Mine" } })).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await clients.rotate(other.token, client.id)).toMatchObject({ code: "NOT_FOUND" });
    expect(await clients.review({ id: client.id, decision: "APPROVE" }, other.token)).toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await clients.review({ id: client.id, decision: "APPROVE" }, owner.token)).toMatchObject({
      code: "FORBIDDEN",
    });
    expect((await clients.review({ id: client.id, decision: "APPROVE" }, null)).errors[0].extensions.code).toBe(
      "unauthorized",
    );
    const list = "{ viewer { oauthClients { edges { node { clientId } } } } }";
    expect((await clients.query(other.token, list)).data.viewer.oauthClients.edges).toEqual([]);
    expect((await clients.query(owner.token, list)).data.viewer.oauthClients.edges).toEqual([
      { node: { clientId: client.clientId } },
    ]);
    const toReview = await clients.query(other.token, "{ oauthClientsToReview { edges { node { clientId } } } }");
    expect(toReview.errors[0].extensions.code).toBe("forbidden");
    expect(await clients.read(owner.token, client.id)).toEqual(client);
  });

  it("receives an error for an id of another type", async () => {
    const { token } = await stack.account();
    const id = Buffer.from("ApiToken:tok_1").toString("base64");
    expect(await clients.update(token, { id })).toMatchObject({ code: "INVALID_REQUEST", field: "id" });
  });
});
