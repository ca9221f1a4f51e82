import { Router } from "express";
import { malformedResponses } from "./malformed.ts";
import { type MisbehaviourDeps, misbehaviours } from "./misbehaviours.ts";
import { matchingRequirement } from "./protocol.ts";
import { type Price, requirementV1 } from "./requirements.ts";

const PRICE: Price = { network: "base-sepolia", scheme: "exact", amountAtomic: 10_000n };

/**
 * Faulty version 1 sellers under `/fault/<name>`, each on Base Sepolia for 0.01 USD; `/fault` lists them. Malformed 402
 * responses are under `/fault/malformed/<name>`.
 */
export function faults(deps: MisbehaviourDeps): Router {
  const { protocol, sellerUrl } = deps;
  const router = Router();
  const all = misbehaviours(deps);

  for (const [name, fault] of Object.entries(all)) {
    router.all(`/${name}`, async (request, response) => {
      const resource = { url: sellerUrl() + request.originalUrl, description: `A seller that ${fault.says}` };
      const regular = requirementV1({ ...PRICE, scheme: fault.scheme ?? "exact" }, resource);
      const requirement = fault.offer?.(regular) ?? regular;
      const payment = protocol.decodePayment(request);
      if (!payment || !matchingRequirement(payment, [requirement])) {
        return void response.status(402).json(protocol.paymentRequiredBody([requirement]));
      }
      await fault.paid({ request, response, payment, requirement });
    });
  }
  for (const [name, send] of Object.entries(malformedResponses)) {
    router.all(`/malformed/${name}`, (request, response) => {
      const resource = {
        url: sellerUrl() + request.originalUrl,
        description: "A seller with a malformed 402 response",
      };
      send(response, requirementV1(PRICE, resource));
    });
  }
  // Redirects before payment. The first is harmless, the second leads to a private address.
  router.get("/redirect", (_request, response) => response.redirect(302, `${sellerUrl()}/v1/weather`));
  router.get("/redirect-unpaid-private", (request, response) =>
    response.redirect(302, String(request.query["to"] ?? "http://10.0.0.1/")),
  );
  router.get("/", (_request, response) => {
    const paths = [
      ...Object.keys(all),
      ...Object.keys(malformedResponses).map((name) => `malformed/${name}`),
      ...["redirect", "redirect-unpaid-private"],
    ];
    response.json(paths.map((path) => ({ url: `${sellerUrl()}/fault/${path}`, says: all[path]?.says ?? null })));
  });
  return router;
}
