import { Router } from "express";
import { z } from "zod";
import type { CheckoutDeps } from "./checkout/checkouts.ts";
import { CATALOGUE, type OpenStore } from "./directory.ts";
import { FAULTS, type Fault } from "./faults.ts";

const faultBody = z.object({
  fault: z.enum(Object.keys(FAULTS) as [Fault, ...Fault[]]).nullable(),
  /** Number of occurrences. If absent, the fault occurs until it is cleared. */
  times: z.int().min(1).max(1_000_000).optional(),
  /** Token or global id of the only affected cart. If absent, any cart is affected. */
  cartId: z.string().max(200).optional(),
});

/**
 * `GET /` lists stores and faults. `GET /:name` lists a store's scheduled faults. `POST /:name/fault { fault, times?, cartId? }`
 * schedules a fault; `fault: null` clears all. `GET /:name/charges` returns the store's charges and payment attempts.
 * `GET /:name/carts/:id` returns a cart.
 */
export function storeAdmin(stores: () => OpenStore[], { carts, faults, ledger }: CheckoutDeps): Router {
  const router = Router();
  router.get("/", (_request, response) => {
    response.json({ stores: stores().map(({ store: { name, kind }, url }) => ({ name, kind, url })), faults: FAULTS });
  });
  router.use("/:name", (request, response, next) => {
    const { name } = request.params;
    if (name === CATALOGUE || stores().some(({ store }) => store.name === name)) return next();
    response.status(404).json({ error: `Store ${name} not found` });
  });
  router.get("/:name", (request, response) => void response.json({ faults: faults.pending(request.params.name) }));
  router.post("/:name/fault", (request, response) => {
    const { name } = request.params;
    const { success, data, error } = faultBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: z.prettifyError(error) });
    const { fault, times = null, cartId = null } = data;
    if (fault === null) faults.clear(name);
    else faults.add({ shop: name, fault, left: times, cartId: cartId === null ? null : tokenOf(cartId) });
    response.json({ faults: faults.pending(name) });
  });
  router.get("/:name/charges", (request, response) => {
    const { name } = request.params;
    response.json({ charges: ledger.charges(name), attempts: ledger.attempts(name) });
  });
  router.get("/:name/carts/:id", (request, response) => {
    const cart = carts.get(request.params.id);
    if (cart?.shop === request.params.name) response.json(cart);
    else response.status(404).json({ error: "Cart not found" });
  });
  return router;
}

function tokenOf(cartId: string): string {
  return /^gid:\/\/shopify\/Cart\/([\w-]+)/.exec(cartId)?.[1] ?? cartId;
}
