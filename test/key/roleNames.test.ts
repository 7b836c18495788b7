import { vitrine } from '@vitrine/express';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordLog } from '../support/recordLog.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';

/** What the portal receives as `value` for each viewer of a host, in the order of the viewers, or what the host logs. */
const askAs = async (...viewers: readonly unknown[]) => {
  const portal = await startStandInPortal();
  const logger = recordLog();
  const waiting = [...viewers];
  const handler = vitrine({
    portal: connectionTo(portal.url),
    // A plain JavaScript host may return anything.
    viewer: () => waiting.shift() as never,
    canView: () => true,
    logger,
  });
  const url = await serveUntilEnd(express().use('/api/embed', handler));
  onTestFinished(async () => {
    await handler.close();
    await portal.close();
  });
  const ask = () =>
    fetch(`${url}/api/embed/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
      body: '{"itemId":1042}',
    });
  const statuses: number[] = [];
  for (const _ of viewers) statuses.push((await ask()).status);
  return {
    statuses,
    values: portal.calls.map(({ body }) => JSON.parse(body).value),
    problems: logger.lines.map(({ fields }) => fields),
  };
};

describe('the role names of a viewer', () => {
  it('reach the portal as they are: an empty list as a list, and no list as none', async () => {
    const { statuses, values } = await askAs(
      { userId: 'anna', roleNames: ['region-north'] },
      { userId: 'anna', roleNames: [] },
      { userId: 'anna' },
      { userId: 'anna', roleNames: undefined },
    );
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(values.map(({ roleNames }) => roleNames)).toEqual([['region-north'], [], undefined, undefined]);
    expect(values.map((value) => 'roleNames' in value)).toEqual([true, true, false, false]);
  });

  class Session {
    userId = 'anna';
    get roles() {
      return ['region-north'];
    }
  }

  it.each([
    ['roles', { userId: 'anna', roles: ['region-north'] }],
    ['rolenames', { userId: 'anna', rolenames: ['region-north'] }],
    ['role_names', { userId: 'anna', role_names: ['region-north'] }],
    ['Roles', { userId: 'anna', Roles: ['region-north'] }],
    ['RoleNames', { userId: 'anna', RoleNames: ['region-north'] }],
    ['role-names', { userId: 'anna', 'role-names': ['region-north'] }],
    ['roleName', { userId: 'anna', roleName: 'region-north' }],
    ['roles', { userId: 'anna', roleNames: undefined, roles: ['region-north'] }],
    ['roles', { userId: 'anna', roles: undefined }],
    ['roles', { userId: 'anna', roles: null }],
    ['roles', { userId: 'anna', roles: [] }],
    // Inherited, as those of an ORM's entities are.
    ['roles', new Session()],
    ['roles', Object.assign(Object.create({ roles: ['region-north'] }), { userId: 'anna' })],
  ])('are an error that names roleNames if they are called %s', async (name, viewer) => {
    const { statuses, values, problems } = await askAs(viewer);
    expect([statuses, values]).toEqual([[500], []]);
    expect(problems).toMatchObject([
      { problem: expect.stringContaining(`"${name}"`), hint: expect.stringContaining('roleNames') },
    ]);
  });

  it.each([
    [
      'roleNames beside the roles of the app',
      { roleNames: ['region-north'], roles: ['editor'] },
      ['region-north'],
    ],
    ['an empty list beside the roles of the app', { roleNames: [], roles: ['editor'] }, []],
    ['a symbol', { [Symbol('roles')]: ['region-north'] }, undefined],
    ['other fields', { role: 'editor', rolesChangedAt: 0, Username: 'Anna' }, undefined],
    ['no prototype', { __proto__: null }, undefined],
  ])('may come with %s', async (_title, fields, sent) => {
    const { statuses, values } = await askAs(Object.assign(fields, { userId: 'anna' }));
    expect([statuses, values.map(({ roleNames }) => roleNames)]).toEqual([[200], [sent]]);
  });

  it.each([
    ['null', null],
    ['text', 'region-north'],
    ['a set', new Set(['region-north'])],
  ])('must be a list, not %s', async (_title, roleNames) => {
    const { statuses, problems } = await askAs({ userId: 'anna', roleNames });
    expect(statuses).toEqual([500]);
    expect(problems).toMatchObject([{ problem: 'viewer() returned roleNames that are not an array' }]);
  });
});
