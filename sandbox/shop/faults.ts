import { Router } from "express";
import { malformedBills } from "./malformed.ts";
import { type MisbehaviourDeps, misbehaviours } from "./misbehaviours.ts";
import { type Price, requirementV1 } from "./requirements.ts";
import { answeredRequirement } from "./till.ts";

const PRICE: Price = { network: "base-sepolia", scheme: "exact", amountAtomic: 10_000n };

/**
 * Version 1 shops that misbehave, under `/fault/<name>`, each on base-sepolia for 0.01 USD; `/fault` lists them.
 * Bills nobody should choke on are under `/fault/malformed/<name>`.
 */
export function faults(deps: MisbehaviourDeps): Router {
  const { till, shopUrl } = deps;
  const router = Router();
  const all = misbehaviours(deps);

  for (const [name, fault] of Object.entries(all)) {
    router.all(`/${name}`, async (request, response) => {
      const resource = { url: shopUrl() + request.originalUrl, description: `A shop that ${fault.says}` };
      const honest = requirementV1({ ...PRICE, scheme: fault.scheme ?? "exact" }, resource);
      const requirement = fault.offer?.(honest) ?? honest;
      const payment = till.payment(request);
      if (!payment || !answeredRequirement(payment, [requirement])) {
        return void response.status(402).json(till.bill([requirement]));
      }
      await fault.paid({ request, response, payment, requirement });
    });
  }
  for (const [name, send] of Object.entries(malformedBills)) {
    router.all(`/malformed/${name}`, (request, response) => {
      const resource = { url: shopUrl() + request.originalUrl, description: "A shop that cannot write a bill" };
      send(response, requirementV1(PRICE, resource));
    });
  }
  // These redirect before anything was paid: the first is harmless, the second leads to a private address.
  router.get("/redirect", (_request, response) => response.redirect(302, `${shopUrl()}/v1/weather`));
  router.get("/redirect-unpaid-private", (request, response) =>
    response.redirect(302, String(request.query["to"] ?? "http://10.0.0.1/")),
  );
  router.get("/", (_request, response) => {
    const paths = [
      ...Object.keys(all),
      ...Object.keys(malformedBills).map((name) => `malformed/${name}`),
      ...["redirect", "redirect-unpaid-private"],
    ];
    response.json(paths.map((path) => ({ url: `${shopUrl()}/fault/${path}`, says: all[path]?.says ?? null })));
  });
  return router;
}
