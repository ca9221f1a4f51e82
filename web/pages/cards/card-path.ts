/** Returns the path of the card page. */
export const cardPath = (cardId: string) => `/cards/${cardId}`;
