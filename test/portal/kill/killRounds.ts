import { administer } from '../administer.ts';
import { inspect, readSeeded } from './inspect.ts';
import type { Ledger } from './ledger.ts';
import { startPortalProcess } from './startPortalProcess.ts';
import { seededRandom, writeUntilDeath } from './writers.ts';

/** How a portal is killed, and how often. */
export interface KillOptions {
  readonly database: string;
  readonly rounds: number;
  /** Repeats the same choices. */
  readonly seed: number;
  /** By its parent at any moment, or by itself between two statements. */
  readonly from: 'outside' | 'inside';
  /** Omits transactions, and kills between a change and its audit record: every kill must be detected. */
  readonly isUnsafe?: boolean;
}

/** The results of the rounds. */
export interface KillResult {
  readonly wrong: readonly string[];
  readonly rounds: number;
  readonly acknowledged: number;
}

const writers = 4;

/**
 * Kills a portal during administrative writes, restarts it on the same database and searches for partial, lost or
 * unrecorded changes; repeats until something is wrong or all rounds are complete.
 */
export const killRounds = async ({
  database,
  rounds,
  seed,
  from,
  isUnsafe = false,
}: KillOptions): Promise<KillResult> => {
  const random = seededRandom(seed);
  let number = 0;
  let acknowledged = 0;
  let ledger: Ledger | undefined;
  for (let round = 0; ; round += 1) {
    const victim = await startPortalProcess({ database, isUnsafe });
    ledger ??= {
      users: new Map(),
      roleIds: new Set(),
      unitIds: new Set(),
      syncedUnitIds: new Set(),
      seeded: await readSeeded(victim.tenant),
    };
    const wrong = await inspect(victim.tenant, ledger);
    if (wrong.length > 0 || round === rounds) {
      await victim.kill();
      return { wrong, rounds: round, acknowledged };
    }
    const { body } = await administer(victim.tenant, 'GET /v1/organization-units');
    const { directoryGroupId } = body.items.find((unit: any) => unit.directoryGroupId !== null);
    const known = ledger;
    if (from === 'inside')
      victim.dieAt({
        afterStatements: 40 + Math.floor(random() * 160),
        ...(isUnsafe && { beforeStatement: 'insert into "audit_logs"' }),
      });
    let left = 3 + Math.floor(random() * 40);
    const troubles = await Promise.all(
      Array.from({ length: writers }, () =>
        writeUntilDeath({
          tenant: victim.tenant,
          ledger: known,
          random,
          nextNumber: () => ++number,
          directoryGroupId,
          onAcknowledged: () => {
            acknowledged += 1;
            left -= 1;
            if (from === 'outside' && left === 0) void victim.kill();
          },
        }),
      ),
    );
    await victim.kill();
    const trouble = troubles.filter((each) => each !== undefined);
    if (trouble.length > 0) return { wrong: trouble, rounds: round, acknowledged };
  }
};
