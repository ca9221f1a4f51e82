import { RequestCache } from "@pothos/plugin-scope-auth";
import { expect, test } from "vitest";
import { builder } from "../../schema/builder.ts";
import type { Context } from "../../schema/context.ts";
import { buildSchema } from "../../schema/schema.ts";

test("the authorization cache of a request is cleared after its operation", () => {
  const { releaseContext } = buildSchema().extensions as { releaseContext(context: Context): void };
  const context = { viewer: null } as unknown as Context;
  const cache = RequestCache.fromContext(context, builder);
  expect(RequestCache.fromContext(context, builder)).toBe(cache);
  releaseContext(context);
  expect(RequestCache.fromContext(context, builder)).not.toBe(cache);
});
