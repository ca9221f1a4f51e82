/** Proof that a buyer can pay at each checkout of the gallery, without the service and its worker. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Gallery, loadShapes, openGallery } from "../../sandbox/store/gallery/gallery.ts";
import { getSharedBrowser } from "../support/browser.ts";
import { buyAtShape } from "./gallery-buyer.ts";

vi.setConfig({ testTimeout: 240_000 });

const shapes = await loadShapes();
let gallery: Gallery;

beforeAll(async () => {
  gallery = await openGallery();
});
afterAll(async () => {
  await gallery?.stop();
});

// With `npm run gallery`, as the orders of the worker.
const { GALLERY: selection } = process.env;
const selected = [...shapes].filter(([name]) => selection === "all" || selection?.split(",").includes(name));

it.runIf(selected.length > 0).each(selected.length > 0 ? selected : [...shapes])(
  "a buyer can pay at %s",
  async (name, shape) => {
    const merchant = await gallery.open(name, shape);
    const context = await (await getSharedBrowser()).newContext();
    try {
      await buyAtShape(await context.newPage(), merchant);
    } finally {
      await context.close();
    }
    // A page that repeats its payment charges twice, unless the browser prevents it.
    const isRepeating = name.startsWith("retry-");
    expect(merchant.charges.length).toBe(isRepeating ? 2 : 1);
    expect(merchant.charges[0]?.amountMinor).toBe(merchant.totalMinor);
  },
);
