import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";

/** Returns whether a URL receives the payment, by the recipe's pattern of its path. `*` matches one segment. */
export function isPayPath(recipe: RecipeDefinition | null, url: string): boolean {
  if (!recipe?.payPath) return false;
  const pattern = recipe.payPath.split("/");
  const actual = new URL(url).pathname.split("/");
  return pattern.length === actual.length && pattern.every((part, index) => part === "*" || part === actual[index]);
}
