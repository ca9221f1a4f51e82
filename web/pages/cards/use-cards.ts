import { CardsDocument } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";

/** The account's cards: 20 at most, so all of them at once. */
export function useCards() {
  const reading = useReading({ query: CardsDocument }, ({ viewer }) => viewer ?? undefined);
  return { ...reading, viewer: reading.shown, shown: reading.shown?.cards.edges.map(({ node }) => node) };
}
