import { randomBytes } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import { type Person, people } from './people.ts';

const cookieName = 'demo_session';
const cookieOptions: CookieOptions = { httpOnly: true, sameSite: 'lax', path: '/' };

const tokenOf = (req: Request): string | undefined =>
  (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name]) => name === cookieName)?.[1];

/** A simple sign-in without passwords: choose who you are. Sessions are in memory and end with the process. */
export const createSessions = () => {
  /** The person who is signed in, and the one whose reports are shown beside theirs, if any. */
  const byToken = new Map<string, readonly Person[]>();

  return {
    people: (req: Request): readonly Person[] => byToken.get(tokenOf(req) ?? '') ?? [],

    signIn: (req: Request, res: Response, personIds: readonly unknown[]): readonly Person[] => {
      const chosen = personIds.flatMap((personId) => people.find(({ id }) => id === personId) ?? []);
      if (chosen.length === 0) return [];
      byToken.delete(tokenOf(req) ?? '');
      const token = randomBytes(24).toString('base64url');
      byToken.set(token, chosen);
      res.cookie(cookieName, token, cookieOptions);
      return chosen;
    },

    signOut: (req: Request, res: Response): void => {
      byToken.delete(tokenOf(req) ?? '');
      res.clearCookie(cookieName, cookieOptions);
    },
  };
};

export type Sessions = ReturnType<typeof createSessions>;
