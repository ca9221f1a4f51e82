import { RequestCache } from "@pothos/plugin-scope-auth";
import { expect, test } from "vitest";
import { builder } from "../../schema/builder.ts";
import type { Context } from "../../schema/context.ts";
import { buildSchema } from "../../schema/schema.ts";

test("what was checked for a request is forgotten when its operation is over", () => {
  const { releaseContext } = buildSchema().extensions as { releaseContext(context: Context): void };
  const context = { viewer: null } as unknown as Context;
  const checked = RequestCache.fromContext(context, builder);
  expect(RequestCache.fromContext(context, builder)).toBe(checked);
  releaseContext(context);
  expect(RequestCache.fromContext(context, builder)).not.toBe(checked);
});
