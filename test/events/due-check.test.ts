import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeliverer, type DelivererDeps } from "../../src/events/deliverer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("sends an unresponsive database one query, not one per second", async () => {
  const query = vi.fn(() => new Promise<never>(() => {}));
  const deliverer = createDeliverer({ db: { query } } as unknown as DelivererDeps);
  deliverer.start();
  await vi.advanceTimersByTimeAsync(10_000);
  await deliverer.stop();
  expect(query).toHaveBeenCalledOnce();
});
