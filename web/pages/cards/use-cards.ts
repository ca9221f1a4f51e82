import { CardsDocument } from "../../generated/graphql.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { useReading } from "../../graphql/use-reading.ts";

/** Returns all cards of the account in one page. An account has at most 20. */
export function useCards() {
  const reading = useReading({ query: CardsDocument }, ({ viewer }) => viewer ?? undefined);
  return { ...reading, viewer: reading.shown, shown: reading.shown && nodesOf(reading.shown.cards) };
}
