/** What every route does: authentication, methods, and its response to a failure of the service. */
import { addHead } from "../../../rest-compat/allowed-methods.ts";
import { FILE_ROUTES } from "../../../rest-compat/file-routes.ts";
import { OAUTH_ROUTES } from "../../../rest-compat/routes/oauth.ts";
import { OPENAI_ROUTES } from "../../../rest-compat/routes/openai.ts";
import { ROUTES } from "../../../rest-compat/routes.ts";
import { signLoginToken } from "../../../src/accounts/login-token.ts";
import type { Scenario } from "./scenario.ts";

const AUTHENTICATED = [...ROUTES, ...FILE_ROUTES, ...OPENAI_ROUTES].filter(
  (route) => !("authentication" in route) || route.authentication !== "none",
);

export async function recordEveryRoute({ stack, send, bare, sendToBare }: Scenario): Promise<void> {
  const { token } = await stack.account();
  for (const route of AUTHENTICATED) {
    const name = `${route.method} ${route.path}`;
    await send(name, "401 no credential");
    await send(name, "401 unknown token", { token: "satchel_sk_none" });
  }
  for (const { path, methods } of [
    ...[...ROUTES, ...FILE_ROUTES, ...OPENAI_ROUTES].map(({ path, method }) => ({ path, methods: [method] })),
    ...OAUTH_ROUTES,
  ]) {
    const [method] = methods;
    await send(`${method} ${path}`, "405", { method: "PATCH", token });
    await send(`${method} ${path}`, "OPTIONS", { method: "OPTIONS", token });
    if (addHead(methods).includes("HEAD")) await send(`${method} ${path}`, "HEAD", { method: "HEAD", token });
  }
  for (const { method, path } of FILE_ROUTES)
    await send(`${method} ${path}`, "400 unknown parameter", { token, query: { image: "show" } });
  await send("GET /api/*", "404", { token, target: "/api/nothing" });

  await recordUnexpectedErrors(bare, sendToBare);
}

/** Records responses while a table that each request needs is not available. */
async function recordUnexpectedErrors(stack: Scenario["bare"], send: Scenario["send"]): Promise<void> {
  const name = "500 unexpected";
  const { token, accountId } = await stack.account();
  const login = await signLoginToken(stack.service.deps, accountId, { lifetimeSeconds: 60 });
  const { prisma } = stack.service.deps.db;
  const without = async (table: string, use: () => Promise<unknown>) => {
    await prisma.$executeRawUnsafe(`ALTER TABLE ${table} RENAME TO ${table}_unavailable`);
    await use();
    await prisma.$executeRawUnsafe(`ALTER TABLE ${table}_unavailable RENAME TO ${table}`);
  };
  await without("accounts", async () => {
    for (const route of AUTHENTICATED) {
      const isLogin = "authentication" in route && route.authentication === "login_token";
      const credential = isLogin ? { headers: { authorization: `Bearer ${login.token}` } } : { token };
      await send(`${route.method} ${route.path}`, name, credential);
    }
    for (const method of ["GET", "POST"]) {
      await send(`${method} /oauth/userinfo`, name, { headers: { authorization: `Bearer ${token}` } });
    }
  });
  const parameters = {
    ...{ client_id: "cl_none", client_secret: "none", grant_type: "refresh_token", refresh_token: "none" },
    ...{ token: "none", redirect_uri: "https://app.example/", response_type: "code", state: "st-1" },
  };
  const origin = stack.service.deps.site.browserUrl();
  await without("oauth_clients", async () => {
    for (const path of ["authorize", "device_authorization", "par", "token", "revoke", "introspect"]) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      await send(`POST /oauth/${path}`, name, { headers, body: String(new URLSearchParams(parameters)) });
    }
    await send("GET /oauth/authorize", name, { origin, query: parameters });
  });
  await without("sessions", async () => {
    const headers = { cookie: `satchel_session=${"x".repeat(43)}` };
    await send("GET /oauth/continue", name, { origin, headers, query: { request: "oar_1_none" } });
  });
}
