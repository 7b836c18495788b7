import type { Request } from 'express';

const users: Record<string, { userId: string; roleNames: readonly string[] }> = {
  north: { userId: 'north.manager@acme.example', roleNames: ['region-north'] },
};

export const userOf = (req: Request) => users[/user=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? ''];

export const mayOpen = (viewer: { userId: string }, itemId: number): boolean =>
  viewer.userId.endsWith('@acme.example') && itemId === 1042;
