import { holdTenantCounter } from '../tenants/tenantCounter.ts';
import { applySeed } from './applySeed.ts';
import type { SeedContext } from './seedContext.ts';
import type { ParsedSeed } from './seedSchema.ts';

/** Writes the seed into a database without tenants, once, however many portals start on it at the same moment. */
export const seedWhenEmpty = (context: SeedContext, seed: ParsedSeed): Promise<void> =>
  context.db.transaction().execute(async (db) => {
    await holdTenantCounter(db);
    const known = await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst();
    if (known === undefined) await applySeed({ ...context, db }, seed);
  });
