import express, { type Express } from "express";
import type { NetworkName } from "../endpoints.ts";
import { faults } from "./faults.ts";
import type { MisbehaviourDeps } from "./misbehaviours.ts";
import { multi } from "./multi.ts";
import type { Observed } from "./observed.ts";
import { paid } from "./paid.ts";
import { usedAtomic, WARES } from "./resources.ts";
import { streamBytes, wantedBytes } from "./stream.ts";
import { version2Gate, version2Ware } from "./version2.ts";

export interface ShopDeps extends MisbehaviourDeps {
  observed: Observed;
  facilitatorUrl: string;
  networks: NetworkName[];
  /** The shop's own origin, known once it listens. */
  shopUrl(): string;
}

/** All shops on one origin; `/` lists what there is and what it costs. */
export async function shopApp(deps: ShopDeps): Promise<Express> {
  const { till, shopUrl, observed } = deps;
  const wares = WARES.filter((ware) => deps.networks.includes(ware.network));
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.use(observed.middleware(""));
  app.use(express.json({ limit: "10mb", strict: false }));

  app.get("/", (_request, response) => {
    const paidResources = wares.map(({ method, path, x402Version, scheme, network, priceAtomic, description }) => ({
      method,
      url: shopUrl() + path,
      x402Version,
      scheme,
      network,
      priceAtomic: typeof priceAtomic === "bigint" ? priceAtomic.toString() : null,
      description,
    }));
    const free = [`${shopUrl()}/free`, `${shopUrl()}/free/stream?bytes=1048576`];
    response.json({ paid: paidResources, several: `${shopUrl()}/multi`, free, misbehaving: `${shopUrl()}/fault` });
  });
  app.get("/free", (_request, response) => void response.json({ price: "free", greeting: "Take one." }));
  app.get("/free/stream", (request, response) => streamBytes(response, wantedBytes(request.query["bytes"])));

  for (const ware of wares.filter(({ x402Version }) => x402Version === 1)) {
    const handler = paid(till, shopUrl, {
      description: ware.description,
      ...(ware.mimeType ? { mimeType: ware.mimeType } : {}),
      prices: (request) => [
        {
          network: ware.network,
          scheme: ware.scheme,
          amountAtomic: typeof ware.priceAtomic === "function" ? ware.priceAtomic(request) : ware.priceAtomic,
        },
      ],
      ...(ware.scheme === "upto" ? { actualAtomic: usedAtomic } : {}),
      serve: ware.serve,
    });
    app[ware.method === "GET" ? "get" : "post"](ware.path, handler);
  }
  app.get("/multi", multi(deps));

  const version2 = wares.filter(({ x402Version }) => x402Version === 2);
  if (version2.length > 0) app.use(await version2Gate(deps.facilitatorUrl, version2));
  for (const ware of version2) app[ware.method === "GET" ? "get" : "post"](ware.path, version2Ware(ware));

  app.use("/fault", faults(deps));
  app.use((_request, response) => void response.status(404).json({ error: "Nothing is sold here" }));
  return app;
}
