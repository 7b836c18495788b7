/** What the examples import from the host app. */
export const userOf = (_request: unknown): { userId: string; roleNames: string[] } | undefined => undefined;

export const mayOpen = (_viewer: { userId: string }, _itemId: number): boolean => false;
