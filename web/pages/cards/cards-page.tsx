import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Badge } from "../../components/badge.tsx";
import { Button, buttonClass } from "../../components/button.tsx";
import { cardName } from "../../components/card-name.ts";
import { Cell, Row, Table } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ListOf } from "../../components/paged-list.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type CardRowFragment, SetDefaultCardDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { cardPath } from "./card-path.ts";
import { CardStatusBadge } from "./card-status.tsx";
import { formatExpiry } from "./read-card-form.ts";
import { StoredData } from "./stored-data.tsx";
import { useCards } from "./use-cards.ts";

/** Cards that agents can pay with. */
export default function CardsPage() {
  const list = useCards();
  return (
    <>
      <PageTitle
        aside={
          <Link href={PATHS.newCard} className={buttonClass("primary")}>
            Add card
          </Link>
        }
      >
        Cards
      </PageTitle>
      <p className="mt-1 mb-6 max-w-[72ch] text-muted">
        Your agent pays merchants with these cards, within{" "}
        <Link href={PATHS.policy} className="text-leather underline underline-offset-3">
          your policy
        </Link>{" "}
        or after your approval.
      </p>
      <ListOf
        list={list}
        awaited={{ count: 2, className: "h-16" }}
        empty="No cards yet. Add a card to let your agent make purchases."
      >
        {(cards) => (
          <Table caption="Cards, the default first" columns={["Card", "Expires", "Status", ""]}>
            {cards.map((card) => (
              <CardEntry key={card.id} card={card} />
            ))}
          </Table>
        )}
      </ListOf>
      {list.viewer && <StoredData keepsSecurityCodes={list.viewer.keepsSecurityCodes} />}
    </>
  );
}

function CardEntry({ card }: { readonly card: CardRowFragment }) {
  const makeDefault = useOperation(SetDefaultCardDocument);
  const toast = useToast();
  const name = cardName(card);
  async function setDefault() {
    const { value } = await makeDefault.run({ input: { id: card.id } });
    if (value) toast(`${name} is the default card.`);
  }
  return (
    <Row>
      <Cell>
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="block text-small wrap-anywhere text-muted">
          {card.nickname !== null && <>{card.nickname}, </>}
          {card.cardholderName}
        </span>
      </Cell>
      <Cell label="Expires">
        <span className="figures">{formatExpiry(card)}</span>
      </Cell>
      <Cell label="Status">
        <span className="inline-flex flex-wrap gap-x-3">
          <CardStatusBadge status={card.status} />
          {card.isDefault && <Badge tone="muted">Default</Badge>}
        </span>
      </Cell>
      <Cell className="max-md:pt-1">
        <span className="inline-flex flex-wrap gap-2">
          {!card.isDefault && (
            <Button
              size="small"
              isBusy={makeDefault.isRunning}
              aria-label={`Make default: ${name}`}
              onClick={() => void setDefault()}
            >
              Make default
            </Button>
          )}
          <Link href={cardPath(card.cardId)} aria-label={`Edit ${name}`} className={buttonClass("plain", "small")}>
            Edit
          </Link>
        </span>
        <FailureNotice failure={makeDefault.failure} />
      </Cell>
    </Row>
  );
}
