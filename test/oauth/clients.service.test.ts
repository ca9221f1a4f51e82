/** Registering, editing and keeping an application (spec section 2.2), over GraphQL. */
import { beforeAll, describe, expect, it } from "vitest";
import { hashToken, isWellFormedToken } from "../../src/accounts/secret-token.ts";
import { ADMIN_TOKEN, type Stack, sharedStack } from "../support/stack.ts";
import { openRoom, type Room, STEPS } from "./clients-fixture.ts";

let stack: Stack;
let room: Room;

beforeAll(async () => {
  stack = await sharedStack();
  room = openRoom(stack);
});

const rowOf = (clientId: string) =>
  stack.service.deps.db.prisma.oAuthClient.findUniqueOrThrow({ where: { id: clientId } });

describe("a registration", () => {
  it("stores the three steps as given, and waits for approval", async () => {
    const { token, accountId } = await stack.account();
    const { client } = await room.register(token);
    const { acceptTerms: _, ...oauth } = STEPS.oauth;
    expect(client).toMatchObject({
      kind: "CONFIDENTIAL",
      status: "PENDING_APPROVAL",
      statusReason: null,
      responsible: STEPS.responsible,
      app: STEPS.app,
      ...oauth,
      requireSecretOnRefresh: false,
      strictScopes: false,
      reviews: [{ fromStatus: null, toStatus: "PENDING_APPROVAL", reason: null }],
    });
    expect(client.clientId).toMatch(/^cl_\d{13}_\w{12}$/);
    expect(await rowOf(client.clientId)).toMatchObject({ accountId, kind: "confidential", status: "pending_approval" });
    expect(await room.read(token, client.id)).toEqual(client);
  });

  it("is the only time its secret is shown, and only its hash is kept", async () => {
    const { token } = await stack.account();
    const { client, secret } = await room.register(token);
    expect(isWellFormedToken(secret, "satchel_cs_")).toBe(true);
    expect(client.secretHint).toBe(secret.slice(-4));
    const row = await rowOf(client.clientId);
    expect(Buffer.from(row.secretHash ?? [])).toEqual(Buffer.from(hashToken(secret)));
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(await room.read(token, client.id))).not.toContain(secret);
  });

  it("trims texts and leaves optional lists empty", async () => {
    const { token } = await stack.account();
    const { client } = await room.register(token, {
      kind: "PUBLIC",
      responsible: { ...STEPS.responsible, fullName: "  Ada  ", country: "gb" },
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

  it("wants a caller who may change the account", async () => {
    const narrow = await stack.account({ token: { scopes: ["payments:sign"] } });
    expect(await room.register(narrow.token)).toMatchObject({ code: "forbidden" });
    expect((await room.register(null)).errors[0].extensions.code).toBe("unauthorized");
    expect((await room.register(ADMIN_TOKEN)).errors[0].extensions.code).toBe("unauthorized");
  });
});

describe("what is not valid is refused by name", () => {
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
      ["country", "responsible", "XX"],
      ["country", "responsible", "EU"],
      ["country", "responsible", "Portugal"],
      ["address", "responsible", ""],
      ["address", "responsible", "x".repeat(501)],
    ],
    "app information": [
      ["appName", "app", ""],
      ["appName", "app", "x".repeat(61)],
      ["appName", "app", "Two\nlines"],
      ["appName", "app", "zero\u200bwidth"],
      ["supportEmail", "app", "nobody"],
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

  it.each(Object.entries(cases))("of %s", async (_what, refused) => {
    const seen = [];
    let token = "";
    for (const [index, [field, step, value]] of refused.entries()) {
      // An account registers so many times a minute.
      if (index % 25 === 0) ({ token } = await stack.account());
      const [name = ""] = field.split(".");
      const { code, field: named } = await room.register(token, { [step]: { ...STEPS[step], [name]: value } });
      seen.push([code, named, value]);
    }
    expect(seen).toEqual(refused.map(([field, step, value]) => ["invalid_request", `${step}.${field}`, value]));
  });

  it("and so are terms that were not accepted", async () => {
    const { token } = await stack.account();
    const oauth = { ...STEPS.oauth, acceptTerms: false };
    expect(await room.register(token, { oauth })).toMatchObject({
      code: "invalid_request",
      field: "oauth.acceptTerms",
    });
  });

  it("however often it is tried", async () => {
    const { token } = await stack.account();
    const all = await Promise.all(
      Array.from({ length: 35 }, () => room.register(token, { app: { ...STEPS.app, appName: "" } })),
    );
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set(["invalid_request", "rate_limited"]));
  });
});

describe("an edit", () => {
  it("changes what is given and nothing else", async () => {
    const { token } = await stack.account();
    const { client } = await room.register(token);
    const changed = await room.update(token, {
      id: client.id,
      responsible: { phone: "+351 210 000 000" },
      app: { contactEmails: [] },
      oauth: { redirectUris: ["https://tide.example/Callback"] },
      requireSecretOnRefresh: true,
      strictScopes: true,
    });
    expect(changed.client).toEqual({
      ...client,
      responsible: { ...client.responsible, phone: "+351 210 000 000" },
      app: { ...client.app, contactEmails: [] },
      redirectUris: ["https://tide.example/Callback"],
      requireSecretOnRefresh: true,
      strictScopes: true,
      updatedAt: expect.any(String),
    });
    expect(changed.client.updatedAt > client.updatedAt).toBe(true);
    expect(await room.update(token, { id: client.id, app: { supportEmail: "nobody" } })).toMatchObject({
      field: "app.supportEmail",
    });
  });

  it("loses nothing to another at the same time", async () => {
    const { token } = await stack.account();
    const { client } = await room.register(token);
    const edits = [
      { app: { appName: "Rock Pool" } },
      { app: { supportEmail: "rock@tide.example" } },
      { responsible: { fullName: "Grace Hopper" } },
      { oauth: { javascriptOrigins: [] } },
      { strictScopes: true },
    ];
    await Promise.all(edits.map((edit) => room.update(token, { id: client.id, ...edit })));
    expect(await room.read(token, client.id)).toMatchObject({
      app: { appName: "Rock Pool", supportEmail: "rock@tide.example" },
      responsible: { fullName: "Grace Hopper" },
      javascriptOrigins: [],
      strictScopes: true,
    });
  });

  it("of an approved application leaves its responsible party alone", async () => {
    const { token } = await stack.account();
    const { client } = await room.register(token);
    await room.review({ id: client.id, decision: "APPROVE" });
    for (const [field, value] of Object.entries({
      fullName: "Eve",
      phone: "+351 210 000 001",
      country: "PT",
      address: "Elsewhere",
    })) {
      expect(await room.update(token, { id: client.id, responsible: { [field]: value } })).toMatchObject({
        __typename: "LockedFieldError",
        code: "locked_field",
        field: `responsible.${field}`,
      });
    }
    // A form sends all it shows: what is the same is no change.
    const same = await room.update(token, {
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

  it("of an approved application's addresses holds at once, stands in its history, and ends what was under way", async () => {
    const { prisma } = stack.service.deps.db;
    const { token } = await stack.account();
    const { client } = await room.register(token);
    await room.review({ id: client.id, decision: "APPROVE" });
    const request = (id: string, redirectUri: string) => ({
      id,
      clientId: client.clientId as string,
      redirectUri,
      state: "s",
      expiresAt: new Date(Date.now() + 600_000),
    });
    const [kept, removed] = STEPS.oauth.redirectUris as [string, string];
    await prisma.oAuthRequest.createMany({
      data: [request(`${client.clientId}-1`, kept), request(`${client.clientId}-2`, removed)],
    });
    const changed = await room.update(token, {
      id: client.id,
      oauth: { redirectUris: [kept, "https://tide.example/other"], javascriptOrigins: [] },
    });
    expect(changed.client.status).toBe("APPROVED");
    expect(changed.client.reviews.at(-1)).toEqual({
      fromStatus: "APPROVED",
      toStatus: "APPROVED",
      reason: `Added redirect address https://tide.example/other\nRemoved redirect address ${removed}\nRemoved JavaScript origin https://tide.example`,
    });
    const left = await prisma.oAuthRequest.findMany({ where: { clientId: client.clientId } });
    expect(left.map(({ redirectUri }) => redirectUri)).toEqual([kept]);
  });
});

describe("a secret", () => {
  it("is replaced at once, and again", async () => {
    const { token } = await stack.account();
    const { client, secret } = await room.register(token);
    const second = await room.rotate(token, client.id);
    expect(second.secret).not.toBe(secret);
    expect(second.client.secretHint).toBe(second.secret.slice(-4));
    const { secretHash } = await rowOf(client.clientId);
    expect(Buffer.from(secretHash ?? [])).toEqual(Buffer.from(hashToken(second.secret)));
    const many = await Promise.all(Array.from({ length: 5 }, () => room.rotate(token, client.id)));
    const last = Buffer.from((await rowOf(client.clientId)).secretHash ?? []);
    expect(many.filter((one) => last.equals(hashToken(one.secret)))).toHaveLength(1);
  });
});

describe("strangers", () => {
  it("can neither read nor change", async () => {
    const owner = await stack.account();
    const stranger = await stack.account();
    const { client } = await room.register(owner.token);
    expect(await room.read(stranger.token, client.id)).toBeNull();
    expect(await room.update(stranger.token, { id: client.id, app: { appName: "Mine" } })).toMatchObject({
      code: "not_found",
    });
    expect(await room.rotate(stranger.token, client.id)).toMatchObject({ code: "not_found" });
    expect(await room.review({ id: client.id, decision: "APPROVE" }, stranger.token)).toMatchObject({
      code: "forbidden",
    });
    expect(await room.review({ id: client.id, decision: "APPROVE" }, owner.token)).toMatchObject({ code: "forbidden" });
    expect((await room.review({ id: client.id, decision: "APPROVE" }, null)).errors[0].extensions.code).toBe(
      "unauthorized",
    );
    const list = "{ viewer { oauthClients { edges { node { clientId } } } } }";
    expect((await room.ask(stranger.token, list)).data.viewer.oauthClients.edges).toEqual([]);
    expect((await room.ask(owner.token, list)).data.viewer.oauthClients.edges).toEqual([
      { node: { clientId: client.clientId } },
    ]);
    const toReview = await room.ask(stranger.token, "{ oauthClientsToReview { edges { node { clientId } } } }");
    expect(toReview.errors[0].extensions.code).toBe("forbidden");
    expect(await room.read(owner.token, client.id)).toEqual(client);
  });

  it("are told of ids of other types", async () => {
    const { token } = await stack.account();
    const id = Buffer.from("ApiToken:tok_1").toString("base64");
    expect(await room.update(token, { id })).toMatchObject({ code: "invalid_request", field: "id" });
  });
});
