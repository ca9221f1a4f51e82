/** Where a card's own page is. */
export const cardPath = (cardId: string) => `/cards/${cardId}`;
