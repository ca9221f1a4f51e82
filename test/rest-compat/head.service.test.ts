/** HEAD is supported wherever GET is (RFC 9110 section 9.3.2). */
import { beforeAll, describe, expect, it } from "vitest";
import { FILE_ROUTES } from "../../rest-compat/file-routes.ts";
import { OAUTH_ROUTES } from "../../rest-compat/routes/oauth.ts";
import { ROUTES } from "../../rest-compat/routes.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
});

const sendRequest = (method: string, path: string, accept: string) =>
  fetch(stack.baseUrl + path, {
    method,
    redirect: "manual",
    headers: { "x-service-token": account.token, accept, "accept-encoding": "identity" },
  });

const OTHERS = ["/", "/dashboard", "/nowhere", "/health/ready", "/docs", "/v1/models", "/.well-known/jwks.json"];
const GRAPHQL = ["/graphql?query={__typename}", "/graphql?query={nothing}", "/graphql?query=mutation{__typename}"];
const TABLES = [...ROUTES, ...FILE_ROUTES].filter(({ method }) => method === "GET").map(({ path }) => path);
const OAUTH = OAUTH_ROUTES.filter(({ methods }) => methods.includes("GET")).map(({ path }) => path);

describe.each([...TABLES, ...OAUTH, ...OTHERS, ...GRAPHQL, "/graphql"])("HEAD %s", (path) => {
  it.each(["application/json", "text/html"])("returns the headers of GET for %s", async (accept) => {
    const shown = async (method: string) => {
      const reply = await sendRequest(method, path, accept);
      const named = ["content-type", "content-length", "content-security-policy", "cache-control", "location", "allow"];
      const length = (await reply.arrayBuffer()).byteLength;
      return { length, head: [reply.status, ...named.map((name) => reply.headers.get(name))] };
    };
    const [whole, head] = [await shown("GET"), await shown("HEAD")];
    expect(head).toEqual({ length: 0, head: whole.head });
  });
});

it("an event stream does not support HEAD", async () => {
  const path = "/graphql?query=subscription{accountEventOccurred{__typename}}";
  expect((await sendRequest("HEAD", path, "text/event-stream")).status).toBe(406);
});
