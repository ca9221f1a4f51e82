import { useQuery } from "urql";
import { CardsDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";

/** The account's cards: 20 at most, so all of them at once. */
export function useCards() {
  const [{ data, error }, refresh] = useQuery({ query: CardsDocument, requestPolicy: "cache-and-network" });
  const viewer = data?.viewer;
  return {
    viewer,
    cards: viewer?.cards.edges.map(({ node }) => node),
    failure: error && !viewer && !isSignedOut(error) ? transportFailure(error) : null,
    again: () => refresh({ requestPolicy: "network-only" }),
  };
}
