import type { Server } from 'node:http';
import type { Actions } from '@vitrine/actions';
import { onTestFinished } from 'vitest';
import { closeServer } from '../../support/standInPortal.ts';

/** The parts of a host with actions. */
interface Host {
  readonly actions: Actions;
  readonly server: Server;
  readonly mount: { readonly close: () => Promise<void> };
}

/** Ends a host with its test: streams first, for they keep the server open. */
export const endWithTest = ({ actions, server, mount }: Host): void =>
  onTestFinished(async () => {
    actions.endStreams();
    await closeServer(server);
    await mount.close();
    await actions.close(0);
  });
