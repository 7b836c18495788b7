import { emailKey } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** From now on, spellings of one address share a key. If a tenant already has both, both users stay. */
export const foldEmailKeys = async (db: Kysely<Tables>): Promise<void> => {
  const users = await db.selectFrom('users').select(['id', 'tenant_id', 'email', 'email_key']).execute();
  const taken = new Set(users.map(({ tenant_id, email_key }) => `${tenant_id} ${email_key}`));
  for (const { id, tenant_id, email, email_key } of users) {
    const key = emailKey(email);
    if (key === email_key || taken.has(`${tenant_id} ${key}`)) continue;
    taken.add(`${tenant_id} ${key}`);
    await db.updateTable('users').set({ email_key: key }).where('id', '=', id).execute();
  }
};
