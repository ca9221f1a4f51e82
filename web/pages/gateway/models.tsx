import { movePoint } from "../../components/exact.ts";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { ListOf } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import type { GatewayModelsQuery } from "../../generated/graphql.ts";
import type { Reading } from "../../graphql/use-reading.ts";

const COLUMNS = ["Model", "Context", "A million tokens sent", "A million tokens answered", "Each call"];
/** Prices are told by token; people compare them by the million. */
const MILLION_PLACES = 6;
const count = new Intl.NumberFormat("en-US");

/** The models there are, and what they cost. */
export function Models({ list }: { readonly list: Reading<GatewayModelsQuery["models"]> }) {
  return (
    <Section title="Models" hint="Prices of the first provider that offers each.">
      <ListOf
        list={list}
        awaited={{ count: 3 }}
        empty="There is no model here yet: nobody has named a provider to this installation, or none answers."
      >
        {(models) => (
          <Table caption="Models and their prices" columns={COLUMNS}>
            {models.map(({ id, name, contextLength, pricing }) => (
              <Row key={id}>
                <Cell>
                  <span className="font-medium break-words">{id}</span>
                  {name !== id && <span className="block text-small text-muted">{name}</span>}
                </Cell>
                <Cell label="Context">
                  <span className="figures whitespace-nowrap">{count.format(contextLength)} tokens</span>
                </Cell>
                <Cell label="A million tokens sent">
                  <Money amount={movePoint(pricing.prompt, MILLION_PLACES)} />
                </Cell>
                <Cell label="A million tokens answered">
                  <Money amount={movePoint(pricing.completion, MILLION_PLACES)} />
                </Cell>
                <Cell label="Each call">
                  <Money amount={pricing.request} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </ListOf>
    </Section>
  );
}
