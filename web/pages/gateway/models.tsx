import { movePoint } from "../../components/decimal.ts";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { ListOf, type PagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import type { GatewayModelRowFragment } from "../../generated/graphql.ts";

const COLUMNS = ["Model", "Context", "Input per 1M tokens", "Output per 1M tokens", "Per call"];
/** Decimal places between a price per token, as the API returns it, and per million tokens. */
const MILLION_PLACES = 6;
const count = new Intl.NumberFormat("en-US");

/** Available models with their prices. */
export function Models({ list }: { readonly list: PagedList<GatewayModelRowFragment> }) {
  return (
    <Section title="Models" hint="Prices of the first provider for each model.">
      <ListOf
        list={list}
        awaited={{ count: 3 }}
        empty="No models available. No provider is configured, or none responds."
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
                <Cell label="Input per 1M tokens">
                  <Money amount={movePoint(pricing.prompt, MILLION_PLACES)} />
                </Cell>
                <Cell label="Output per 1M tokens">
                  <Money amount={movePoint(pricing.completion, MILLION_PLACES)} />
                </Cell>
                <Cell label="Per call">
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
