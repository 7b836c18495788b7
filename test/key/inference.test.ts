import { allowAll, vitrine } from '@vitrine/express';
import { createFetchHandler } from '@vitrine/server';
import type { Request as ExpressRequest } from 'express';
import type { Context } from 'hono';
import { expect, expectTypeOf, it } from 'vitest';
import { connectionTo } from '../support/standInPortal.ts';

const portal = connectionTo('https://api.portal.example');

/** The request type of a host, as a session library declares it. */
interface SignedRequest extends ExpressRequest {
  readonly account?: { readonly email: string; readonly regions: string[]; readonly level: number };
}

it('callbacks infer the request and the viewer without type annotations', () => {
  vitrine({
    portal,
    viewer: (req) => {
      expectTypeOf(req).toEqualTypeOf<ExpressRequest>();
      return { userId: req.ip ?? '', level: 3 };
    },
    canView: (viewer, itemId, req) => {
      expectTypeOf(viewer.level).toEqualTypeOf<number>();
      expectTypeOf(itemId).toEqualTypeOf<number>();
      expectTypeOf(req).toEqualTypeOf<ExpressRequest>();
      return true;
    },
    logger: false,
  });
});

it('a custom request type reaches every callback', () => {
  vitrine({
    portal: (req: SignedRequest) => (req.account === undefined ? portal : { ...portal, tenancyName: 'acme' }),
    viewer: (req) =>
      req.account && { userId: req.account.email, roleNames: req.account.regions, level: req.account.level },
    canView: (viewer) => {
      expectTypeOf(viewer).toEqualTypeOf<{ userId: string; roleNames: string[]; level: number }>();
      return viewer.level > 1;
    },
    logger: false,
  });
});

it('the fetch handler receives a web-standard Request by default, or the framework context', () => {
  createFetchHandler({
    portal,
    viewer: (request) => {
      expectTypeOf(request).toEqualTypeOf<Request>();
      return null;
    },
    canView: allowAll,
    logger: false,
  });
  createFetchHandler({
    webRequest: (c: Context) => c.req.raw,
    portal,
    viewer: (c) => {
      expectTypeOf(c).toEqualTypeOf<Context>();
      return { userId: 'a', plan: 'gold' };
    },
    canView: (viewer, _itemId, c) => {
      expectTypeOf(viewer.plan).toEqualTypeOf<string>();
      expectTypeOf(c).toEqualTypeOf<Context>();
      return true;
    },
    logger: false,
  });
});

it('missing and wrong options do not compile', () => {
  const viewer = () => ({ userId: 'a' });
  // @ts-expect-error: canView is missing
  expect(() => vitrine({ portal, viewer })).toThrow('Option "canView" is missing');
  // @ts-expect-error: viewer is missing
  expect(() => vitrine({ portal, canView: allowAll })).toThrow('Option "viewer" is missing');
  // @ts-expect-error: a viewer needs a userId
  vitrine({ portal, viewer: () => ({ user: 'a' }), canView: allowAll, logger: false });
  // @ts-expect-error: a list of reports is not an answer
  vitrine({ portal, viewer, canView: () => [1042], logger: false });
  // @ts-expect-error: misspelled
  expect(() => vitrine({ portal, viewer, canView: allowAll, keyLifeTime: '45m' })).toThrow('unknown_option');
});
