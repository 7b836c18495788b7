import { join } from 'node:path';
import { createPortal, type PortalTenant } from '@vitrine/portal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMount, mountDisk } from '../support/mountDisk.ts';
import { administer } from './administer.ts';

const message = (path: string) =>
  `The disk is full: free some space for the portal's database ${path}, and try again.`;

describe.skipIf(!canMount)('a portal on a full disk (needs permission to mount one)', () => {
  it.each(['4k', '16k', '100k', '300k'])('names the cause when it starts with %s', async (size) => {
    const database = join(mountDisk(size).folder, 'portal.db');
    await expect(createPortal({ database })).rejects.toThrow(message(database));
  });

  it('names the cause when the disk gets full later, and continues when there is space again', async () => {
    const disk = mountDisk('3m');
    const database = join(disk.folder, 'portal.db');
    const errors: unknown[] = [];
    const portal = await createPortal({ database, onError: (error) => errors.push(error) });
    onTestFinished(() => portal.close());
    const [tenant] = portal.tenants;
    const create = async (n: number) =>
      (
        await administer(tenant as PortalTenant, 'POST /v1/roles', {
          body: { name: `Role ${n}`, code: `role-${n}`, type: 'RLS' },
        })
      ).status;
    let status = 0;
    for (let n = 0; n < 3000 && status < 500; n += 1) status = await create(n);
    expect(status).toBe(503);
    expect(errors[0]).toMatchObject({ message: message(database) });
    expect(disk.grow()).toBe(true);
    expect(await create(4000)).toBe(201);
  });
});
