import express, { type Express } from "express";
import type { NetworkName } from "../endpoints.ts";
import { faults } from "./faults.ts";
import type { MisbehaviourDeps } from "./misbehaviours.ts";
import { multi } from "./multi.ts";
import type { Observed } from "./observed.ts";
import { paid } from "./paid.ts";
import { PAID_RESOURCES, usedAtomic } from "./resources.ts";
import { requestedBytes, streamBytes } from "./stream.ts";
import { version2Gate, version2Handler } from "./version2.ts";

export interface SellerDeps extends MisbehaviourDeps {
  observed: Observed;
  facilitatorUrl: string;
  networks: NetworkName[];
  /** The seller's own origin. Set after the server listens. */
  sellerUrl(): string;
}

/** All sellers on one origin. `/` lists the resources and their prices. */
export async function sellerApp(deps: SellerDeps): Promise<Express> {
  const { protocol, sellerUrl, observed } = deps;
  const resources = PAID_RESOURCES.filter((resource) => deps.networks.includes(resource.network));
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.use(observed.middleware(""));
  app.use(express.json({ limit: "10mb", strict: false }));

  app.get("/", (_request, response) => {
    const paidResources = resources.map(({ method, path, x402Version, scheme, network, priceAtomic, description }) => ({
      method,
      url: sellerUrl() + path,
      x402Version,
      scheme,
      network,
      priceAtomic: typeof priceAtomic === "bigint" ? priceAtomic.toString() : null,
      description,
    }));
    const free = [`${sellerUrl()}/free`, `${sellerUrl()}/free/stream?bytes=1048576`];
    response.json({ paid: paidResources, several: `${sellerUrl()}/multi`, free, misbehaving: `${sellerUrl()}/fault` });
  });
  app.get("/free", (_request, response) => void response.json({ price: "free", greeting: "No payment required." }));
  app.get("/free/stream", (request, response) => streamBytes(response, requestedBytes(request.query["bytes"])));

  for (const resource of resources.filter(({ x402Version }) => x402Version === 1)) {
    const handler = paid(protocol, sellerUrl, {
      description: resource.description,
      ...(resource.mimeType ? { mimeType: resource.mimeType } : {}),
      prices: (request) => [
        {
          network: resource.network,
          scheme: resource.scheme,
          amountAtomic:
            typeof resource.priceAtomic === "function" ? resource.priceAtomic(request) : resource.priceAtomic,
        },
      ],
      ...(resource.scheme === "upto" ? { actualAtomic: usedAtomic } : {}),
      serve: resource.serve,
    });
    app[resource.method === "GET" ? "get" : "post"](resource.path, handler);
  }
  app.get("/multi", multi({ protocol, networks: deps.networks, sellerUrl }));

  const version2 = resources.filter(({ x402Version }) => x402Version === 2);
  if (version2.length > 0) app.use(await version2Gate(deps.facilitatorUrl, version2));
  for (const resource of version2)
    app[resource.method === "GET" ? "get" : "post"](resource.path, version2Handler(resource));

  app.use("/fault", faults(deps));
  app.use((_request, response) => void response.status(404).json({ error: "Resource not found" }));
  return app;
}
