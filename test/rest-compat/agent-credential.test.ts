import { GraphQLError } from "graphql";
import { expect, it, vi } from "vitest";
import { handleNativeRequest } from "../../rest-compat/dialects/native.ts";
import { agentCredential } from "../../rest-compat/routes/agent-credential.ts";
import { agentIdentity } from "../../rest-compat/routes/agent-identity.ts";
import { refuseUnknown } from "../../rest-compat/unknown-members.ts";
import { ForbiddenError } from "../../src/platform/errors.ts";

function send(route: typeof agentCredential, cause: Error) {
  const logged = vi.fn();
  const reply = { header: () => reply, headers: () => reply, code: () => reply, send: (body: object) => body };
  const run = () => ({ errors: [new GraphQLError(cause.message, { originalError: cause })], data: { viewer: null } });
  const request = { params: {}, query: {}, body: undefined, id: "req_1", log: { error: logged } };
  const response = handleNativeRequest({ route, run, onUnknown: refuseUnknown }, request as never, reply as never, {});
  return { response, logged };
}

it("reports a failed retrieval as an absent credential, and logs it (spec section 2.8)", async () => {
  const { response, logged } = send(agentCredential, new Error("connection lost"));
  expect(await response).toEqual({ hasCredential: false });
  expect(logged).toHaveBeenCalledOnce();
});

it("still rejects a caller without the scope", async () => {
  const { response } = send(agentCredential, new ForbiddenError("The scope agent:read is missing."));
  expect(await response).toMatchObject({ error: "forbidden" });
});

it("reports the failure of another route as an error", async () => {
  const { response } = send(agentIdentity, new Error("connection lost"));
  expect(await response).toMatchObject({ error: "internal_error", request_id: "req_1" });
});
