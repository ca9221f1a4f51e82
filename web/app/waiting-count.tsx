/** Badge with the number of orders that need an action by the account owner; renders nothing for 0. */
export function WaitingCount({ waiting }: { readonly waiting: number }) {
  if (waiting === 0) return null;
  return (
    <span className="figures rounded-full bg-leather px-1.5 text-small leading-5 font-medium text-paper">
      <span aria-hidden="true">{waiting}</span>
      <span className="sr-only">({waitingText(waiting)})</span>
    </span>
  );
}

export const waitingText = (waiting: number) =>
  waiting === 1 ? "1 order needs your attention" : `${waiting} orders need your attention`;
