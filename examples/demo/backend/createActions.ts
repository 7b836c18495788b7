import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActions as createVitrineActions, sqliteInbox } from '@vitrine/express';
import type { PortalTenant } from '@vitrine/portal';
import { connectionOf } from './connectionOf.ts';
import { createPortalUsers } from './createPortalUsers.ts';
import { regionCards } from './customers.ts';

/** The report whose clicks the host answers with its own data. */
const salesByRegion = 1042;

/** Handles clicks in reports: stores them, looks up the host's own data, and sends it to the person who clicked. */
export const createActions = async (tenant: PortalTenant) => {
  await createPortalUsers(tenant);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-demo-'));
  const inboxFile = join(folder, 'actions.db');
  const actions = createVitrineActions({
    portal: { ...connectionOf(tenant), baseUrl: tenant.baseUrl },
    secrets: tenant.webhookSecret,
    inbox: sqliteInbox(inboxFile),
    on: { [salesByRegion]: (event) => ({ result: regionCards(event) }), '*': () => undefined },
    audience: 'clicker',
  });

  return {
    actions,
    inboxFile,
    close: async (): Promise<void> => {
      await actions.close(1000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type Actions = Awaited<ReturnType<typeof createActions>>;
