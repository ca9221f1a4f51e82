/** The available models and the providers that offer them. */
import { requireAccount, type Viewer } from "../accounts/viewer.ts";
import type { GatewayDeps, OfferedModel, Provider } from "./deps.ts";
import { ModelNotFoundError } from "./errors.ts";

export interface Offer {
  readonly provider: Provider;
  readonly model: OfferedModel;
}

/** Returns each model once, as described by the first provider that offers it, ordered by ID. */
export async function listModels(deps: GatewayDeps, viewer: Viewer | null): Promise<OfferedModel[]> {
  requireAccount(viewer);
  const byId = new Map<string, OfferedModel>();
  for (const models of await Promise.all(deps.gateway.providers.map((provider) => provider.models()))) {
    for (const model of models) if (!byId.has(model.id)) byId.set(model.id, model);
  }
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns the providers of a model in the order in which they are called, at least one. @throws {ModelNotFoundError} */
export async function findOffers({ gateway }: GatewayDeps, id: string): Promise<Offer[]> {
  const lists = await Promise.all(
    gateway.providers.map(async (provider) => ({ provider, models: await provider.models() })),
  );
  const offers = lists.flatMap(({ provider, models }) => {
    const model = models.find((one) => one.id === id);
    return model ? [{ provider, model }] : [];
  });
  if (offers.length === 0) throw new ModelNotFoundError(id);
  return offers;
}
