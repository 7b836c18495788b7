/** The sign-in of the apps: a cookie with the name of a user. */
const users: Record<string, { userId: string; roleNames: readonly string[] }> = {
  north: { userId: 'north.manager@acme.example', roleNames: ['region-north'] },
  head: { userId: 'head.of.sales@acme.example', roleNames: ['all-regions'] },
};
export const userOf = ({ headers }: { headers: Headers | { cookie?: string | undefined } }) => {
  const cookie = headers instanceof Headers ? headers.get('cookie') : headers.cookie;
  return users[/user=(\w+)/.exec(cookie ?? '')?.[1] ?? ''];
};
export const mayOpen = (viewer: { userId: string }, itemId: number): boolean =>
  viewer.userId.endsWith('@acme.example') && itemId === 1042;
