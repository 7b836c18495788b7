const users: Record<string, { userId: string; roleNames: readonly string[] }> = {
  north: { userId: 'north.manager@acme.example', roleNames: ['region-north'] },
  head: { userId: 'head.of.sales@acme.example', roleNames: ['all-regions'] },
};
export const userOf = (request: Request) =>
  users[/user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? ''];
export const mayOpen = (viewer: { userId: string }, itemId: number): boolean =>
  viewer.userId.endsWith('@acme.example') && itemId === 1042;
