import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actionWebhook, createActionStream, sqliteInbox } from '@vitrine/express';
import type { PortalTenant } from '@vitrine/portal';
import { regionCards } from './customers.ts';
import { readPortalNumbers } from './portalNumbers.ts';

/** What happens when somebody clicks in a report: stored, looked up in the host's own data, sent back to that person. */
export const createActions = async (tenant: PortalTenant) => {
  const emails = await readPortalNumbers(tenant);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-demo-'));
  const inboxFile = join(folder, 'actions.db');
  const inbox = sqliteInbox(inboxFile);

  const webhook = actionWebhook({
    secrets: tenant.webhookSecret,
    inbox,
    on: {
      'Sales by region': (event) => ({ result: regionCards(event) }),
    },
  });
  const stream = createActionStream({
    inbox,
    audience: (event) => emails.get(String(event.currentUser)),
    itemIdOf: (reportId) => tenant.items.find(({ guid }) => guid === reportId)?.id,
  });

  return {
    webhook,
    stream,
    inboxFile,
    close: async (): Promise<void> => {
      stream.close();
      await webhook.close(1000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type Actions = Awaited<ReturnType<typeof createActions>>;
