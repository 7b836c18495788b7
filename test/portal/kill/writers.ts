import type { PortalTenant } from '@vitrine/portal';
import { type AdminAnswer, administer } from '../administer.ts';
import { belongings, type Ledger, type UserEntry } from './ledger.ts';

/** Numbers between 0 and 1, the same for a seed. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** What writers share. */
export interface WriterOptions {
  readonly tenant: PortalTenant;
  readonly ledger: Ledger;
  readonly random: () => number;
  /** Makes names unique. */
  readonly nextNumber: () => number;
  /** Directory group for syncing units. */
  readonly directoryGroupId: string;
  /** Called after every acknowledged change. */
  readonly onAcknowledged: () => void;
}

const idOf = (answer: AdminAnswer, wanted: number): string => {
  if (answer.status !== wanted) throw new Error(`status ${answer.status} in place of ${wanted}`);
  return String(answer.body?.id);
};

/** Writes until the portal is gone. Resolves to any other error; `undefined` if there was none. */
export const writeUntilDeath = async (options: WriterOptions): Promise<string | undefined> => {
  const { tenant, ledger, random, nextNumber } = options;
  const mine: UserEntry[] = [];

  const createUser = async () => {
    const number = nextNumber();
    const body = {
      type: 'UserPass',
      email: `writer-${number}@acme.example`,
      firstName: 'Writer',
      ...belongings(0),
    };
    const id = idOf(await administer(tenant, 'POST /v1/users', { body }), 201);
    const entry: UserEntry = { id, version: 0, state: 'there' };
    ledger.users.set(id, entry);
    mine.push(entry);
  };
  const changeUser = async () => {
    const entry = mine.at(-1);
    if (entry === undefined) return createUser();
    const body = belongings(entry.version + 1);
    idOf(await administer(tenant, `PATCH /v1/users/${entry.id}`, { body }), 200);
    entry.version += 1;
  };
  const removeUser = async () => {
    const entry = mine.pop();
    if (entry === undefined) return createUser();
    entry.state = 'removal in doubt';
    idOf(await administer(tenant, `DELETE /v1/users/${entry.id}`), 204);
    entry.state = 'removed';
  };
  const createRole = async () => {
    const number = nextNumber();
    const body = { name: `Role ${number}`, type: 'RLS', code: `role-${number}`, description: '' };
    ledger.roleIds.add(idOf(await administer(tenant, 'POST /v1/roles', { body }), 201));
  };
  const createAndSync = async () => {
    const body = {
      name: `Unit ${nextNumber()}`,
      parentId: 'root',
      directoryGroupId: options.directoryGroupId,
    };
    const id = idOf(await administer(tenant, 'POST /v1/organization-units', { body }), 201);
    ledger.unitIds.add(id);
    idOf(await administer(tenant, `POST /v1/organization-units/${id}/sync`), 202);
    ledger.syncedUnitIds.add(id);
  };

  const acts = [
    createUser,
    createUser,
    changeUser,
    changeUser,
    changeUser,
    removeUser,
    createRole,
    createAndSync,
  ];
  try {
    for (;;) {
      await (acts[Math.floor(random() * acts.length)] ?? createUser)();
      options.onAcknowledged();
    }
  } catch (error) {
    // A portal that is gone causes a failed fetch; anything else is an error.
    return error instanceof TypeError ? undefined : String(error);
  }
};
