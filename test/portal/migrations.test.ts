import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPortal, type Portal } from '@vitrine/portal';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../cli/support/runCommand.ts';
import { administer } from './administer.ts';

it('treats different spellings of an address in an older database as one', async () => {
  const database = join(temporaryFolder(), 'portal.db');
  const first = await createPortal({ database });
  const [tenant] = first.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');
  const create = ({ url }: Portal, email: string) =>
    administer({ ...tenant, baseUrl: url }, 'POST /v1/users', {
      body: { type: 'UserPass', email, firstName: 'J', lastName: 'B' },
    });
  await create(first, 'jürgen@bücher.example');
  await first.close();
  const file = new DatabaseSync(database);
  file.exec("update users set email_key = email where email like 'j%rgen@%'");
  file.exec("delete from kysely_migration where name = '004_email_keys'");
  file.close();
  const second = await createPortal({ database });
  expect((await create(second, 'jürgen@xn--bcher-kva.example')).status).toBe(409);
  await second.close();
});
