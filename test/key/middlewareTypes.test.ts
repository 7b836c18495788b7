import { allowAll, type portalFromEnv, type Viewer, vitrine } from '@vitrine/express';
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

it('refuses roles under another name than roleNames', () => {
  const roles = { userId: 'x', roles: ['north'] };
  const rolenames = { userId: 'x', rolenames: ['north'] };
  const role_names = async () => ({ userId: 'x', role_names: ['north'] });
  // @ts-expect-error -- the roles would not reach the portal
  expectTypeOf(() => vitrine({ portal, viewer: () => roles, canView: allowAll })).toBeFunction();
  // @ts-expect-error -- the same in lower case
  expectTypeOf(() => vitrine({ portal, viewer: () => rolenames, canView: allowAll })).toBeFunction();
  // @ts-expect-error -- the same as a promise
  expectTypeOf(() => vitrine({ portal, viewer: role_names, canView: allowAll })).toBeFunction();
  expectTypeOf<typeof roles>().not.toExtend<Viewer>();
});

it('accepts other roles beside roleNames', () => {
  const both = { userId: 'x', roleNames: ['north'], roles: ['editor'] };
  expectTypeOf(() => vitrine({ portal, viewer: () => both, canView: allowAll })).toBeFunction();
  interface Session {
    readonly userId: string;
    readonly roleNames?: readonly string[];
    readonly department: string;
  }
  expectTypeOf<Session>().toExtend<Viewer>();
});
