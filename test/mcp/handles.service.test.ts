/** Handles of purchases. */
import { beforeAll, describe, expect, it } from "vitest";
import { createHandles } from "../../mcp/handles.ts";
import { retireSigningKey, type SigningKeys } from "../../src/platform/crypto/signing-keys.ts";
import { sharedStack } from "../support/stack.ts";

let keys: SigningKeys;
const CALLER = { accountId: "a", budgetId: "b" };
const TERMS = { tool: "execute_trade", arguments: ["USDC", "1"], field: "quote_id" };
const DAY_MS = 86_400_000;

beforeAll(async () => {
  keys = (await sharedStack()).service.deps.signingKeys;
});

describe("a handle", () => {
  it("returns the key and the maximum that it was created with", async () => {
    const handles = createHandles(keys, CALLER);
    const [first, second] = await Promise.all([handles.create(TERMS, 5n), handles.create(TERMS)]);
    const opened = await handles.open(first, TERMS);
    expect(opened).toEqual({ idempotencyKey: expect.stringMatching(/^tool-handle-[\w-]{16}$/), capAtomic: 5n });
    expect(await handles.open(first, TERMS)).toEqual(opened);
    const other = await handles.open(second, TERMS);
    expect(other.capAtomic).toBeNull();
    expect(other.idempotencyKey).not.toBe(opened.idempotencyKey);
  });

  it("expires after a day", async () => {
    let nowMs = Date.now();
    const handles = createHandles(keys, CALLER, () => nowMs);
    const handle = await handles.create(TERMS);
    nowMs += DAY_MS - 2_000;
    await handles.open(handle, TERMS);
    nowMs += 4_000;
    await expect(handles.open(handle, TERMS)).rejects.toThrow("has expired. This call did nothing");
  });

  it("is refused for another caller, tool or arguments, and if any byte differs", async () => {
    const handle = await createHandles(keys, CALLER).create(TERMS, 5n);
    const opening = [
      createHandles(keys, { ...CALLER, accountId: "x" }).open(handle, TERMS),
      createHandles(keys, { ...CALLER, budgetId: "x" }).open(handle, TERMS),
      createHandles(keys, CALLER).open(handle, { ...TERMS, tool: "x" }),
      createHandles(keys, CALLER).open(handle, { ...TERMS, arguments: ["USDC", "2"] }),
      createHandles(keys, CALLER).open(`${handle}A`, TERMS),
      createHandles(keys, CALLER).open("", TERMS),
      ...Array.from({ length: Buffer.from(handle, "base64url").byteLength }, (_, index) => {
        const bytes = Buffer.from(handle, "base64url");
        bytes[index] = (bytes[index] ?? 0) ^ 1;
        return createHandles(keys, CALLER).open(bytes.toString("base64url"), TERMS);
      }),
    ];
    for (const result of await Promise.allSettled(opening)) expect(result.status).toBe("rejected");
  });

  it("remains valid after the rotation of its key, and not after its compromise", async () => {
    const { db } = (await sharedStack()).service.deps;
    const { kid } = await keys.current("tool_handle");
    const row = await db.prisma.signingKey.findUniqueOrThrow({ where: { id: kid } });
    const isolated: SigningKeys = {
      ...keys,
      // Another current key, as after the rotation on another node.
      current: async () => ({ ...(await keys.current("known_browser")) }),
      publicKey: (_purpose, id) => keys.publicKey("known_browser", id),
    };
    const handle = await createHandles(keys, CALLER).create(TERMS);
    await createHandles(isolated, CALLER).open(handle, TERMS);
    await retireSigningKey(db, kid, { isCompromised: true });
    await expect(createHandles(isolated, CALLER).open(handle, TERMS)).rejects.toThrow("does not belong");
    // The shared stack continues with the key.
    await db.prisma.signingKey.update({
      where: { id: kid },
      data: { retiredAt: row.retiredAt, revokedAt: row.revokedAt },
    });
  });
});
