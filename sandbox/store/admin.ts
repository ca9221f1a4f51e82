import { Router } from "express";
import { z } from "zod";
import type { CheckoutDeps } from "./checkout/checkouts.ts";
import { CATALOGUE, type OpenShop } from "./directory.ts";
import { FAULTS, type Fault } from "./faults.ts";

const faultBody = z.object({
  fault: z.enum(Object.keys(FAULTS) as [Fault, ...Fault[]]).nullable(),
  /** How often; until it is taken back when absent. */
  times: z.int().min(1).max(1_000_000).optional(),
  /** The bare token of a cart, or its id: no other cart suffers. */
  cartId: z.string().max(200).optional(),
});

/**
 * `GET /` lists shops and faults. `GET /:name` says what waits there; `POST /:name/fault { fault, times?, cartId? }` orders
 * one, and null takes all back. `GET /:name/charges` is the shop's ledger, with every payment that reached it.
 */
export function storeAdmin(shops: () => OpenShop[], { carts, faults, ledger }: CheckoutDeps): Router {
  const router = Router();
  router.get("/", (_request, response) => {
    response.json({ stores: shops().map(({ shop: { name, kind }, url }) => ({ name, kind, url })), faults: FAULTS });
  });
  router.use("/:name", (request, response, next) => {
    const { name } = request.params;
    if (name === CATALOGUE || shops().some(({ shop }) => shop.name === name)) return next();
    response.status(404).json({ error: `There is no shop ${name}` });
  });
  router.get("/:name", (request, response) => void response.json({ faults: faults.waiting(request.params.name) }));
  router.post("/:name/fault", (request, response) => {
    const { name } = request.params;
    const { success, data, error } = faultBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: z.prettifyError(error) });
    const { fault, times = null, cartId = null } = data;
    if (fault === null) faults.clear(name);
    else faults.add({ shop: name, fault, left: times, cartId: cartId === null ? null : tokenOf(cartId) });
    response.json({ faults: faults.waiting(name) });
  });
  router.get("/:name/charges", (request, response) => {
    const { name } = request.params;
    response.json({ charges: ledger.charges(name), attempts: ledger.attempts(name) });
  });
  router.get("/:name/carts/:id", (request, response) => {
    const cart = carts.get(request.params.id);
    if (cart?.shop === request.params.name) response.json(cart);
    else response.status(404).json({ error: "There is no such cart" });
  });
  return router;
}

function tokenOf(cartId: string): string {
  return /^gid:\/\/shopify\/Cart\/([\w-]+)/.exec(cartId)?.[1] ?? cartId;
}
