import { allowAll, type portalFromEnv, vitrine } from '@vitrine/express';
import type { Request } from 'express';
import { expectTypeOf, it } from 'vitest';

// `tsc` decides these tests. The calls are in functions that never run, because most of them would throw.

type Options = Parameters<typeof vitrine>[0];
const portal = {} as ReturnType<typeof portalFromEnv>;

it('requires viewer and canView', () => {
  // @ts-expect-error -- no canView: nobody decides who may see what
  expectTypeOf(() => vitrine({ portal, viewer: () => ({ userId: 'x' }) })).toBeFunction();
  // @ts-expect-error -- no viewer: nobody knows who is looking
  expectTypeOf(() => vitrine({ portal, canView: allowAll })).toBeFunction();
  expectTypeOf(() => vitrine({ portal, viewer: () => ({ userId: 'x' }), canView: allowAll })).toBeFunction();
});

it('passes the Express request to viewer', () => {
  expectTypeOf<Parameters<Options['viewer']>[0]>().toEqualTypeOf<Request>();
});

it('passes the result of viewer to canView, including additional fields', () => {
  expectTypeOf(() =>
    vitrine({
      portal,
      viewer: () => ({ userId: 'x', department: 'sales' }),
      canView: (viewer, itemId) => {
        expectTypeOf(viewer.department).toBeString();
        expectTypeOf(itemId).toBeNumber();
        return true;
      },
    }),
  ).toBeFunction();
});

it('requires role names to be a list of strings', () => {
  expectTypeOf(() =>
    vitrine({
      portal,
      // @ts-expect-error -- one text is not a list
      viewer: () => ({ userId: 'x', roleNames: 'region-north' }),
      canView: allowAll,
    }),
  ).toBeFunction();
});
