import type { Server } from 'node:http';
import type { Actions } from '@vitrine/server/actions';
import { onTestFinished } from 'vitest';
import { closeServer } from '../../support/standInPortal.ts';

/** The components of a host with actions. */
interface Host {
  readonly actions: Actions;
  readonly server: Server;
  readonly mount: { readonly close: () => Promise<void> };
}

/** Closes a host at the end of its test: streams first, because they keep the server open. */
export const endWithTest = ({ actions, server, mount }: Host): void =>
  onTestFinished(async () => {
    const closed = actions.close(0);
    await closeServer(server);
    await mount.close();
    await closed;
  });
