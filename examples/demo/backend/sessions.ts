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
  const byToken = new Map<string, Person>();

  return {
    person: (req: Request): Person | undefined => byToken.get(tokenOf(req) ?? ''),

    signIn: (req: Request, res: Response, personId: unknown): Person | undefined => {
      const person = people.find(({ id }) => id === personId);
      if (person === undefined) return undefined;
      byToken.delete(tokenOf(req) ?? '');
      const token = randomBytes(24).toString('base64url');
      byToken.set(token, person);
      res.cookie(cookieName, token, cookieOptions);
      return person;
    },

    signOut: (req: Request, res: Response): void => {
      byToken.delete(tokenOf(req) ?? '');
      res.clearCookie(cookieName, cookieOptions);
    },
  };
};

export type Sessions = ReturnType<typeof createSessions>;
