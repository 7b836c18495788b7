import { vitrine } from '@vitrine/express';
import type { Portal } from '@vitrine/portal';
import express, { type Express } from 'express';
import { brokenKeys } from './brokenKeys.ts';
import { connectionOf } from './connectionOf.ts';
import type { Actions } from './createActions.ts';
import { outage } from './outage.ts';
import { mayOpen, type Person } from './people.ts';
import { sessionRoutes } from './sessionRoutes.ts';
import { createSessions } from './sessions.ts';

export interface HostOptions {
  /** Lifetime of the host's keys. */
  readonly keyLifetime: string | number;
  /** Handles clicks in reports. */
  readonly actions: Actions;
  /** `false`: no logs. Default: the console. */
  readonly logger?: false;
}

/** The host app's backend. */
export interface Host {
  readonly app: Express;
  /** Closes Vitrine's connections to the portal. */
  readonly close: () => Promise<void>;
}

const viewerOf = (person: Person | undefined) =>
  person && { userId: person.email, roleNames: person.roleNames, person };

/** Creates the backend: its own sign-in, and Vitrine. */
export const createHost = (portal: Portal, { keyLifetime, actions, logger }: HostOptions): Host => {
  const [tenant, otherTenant] = portal.tenants;
  if (tenant === undefined || otherTenant === undefined) throw new Error('The demo needs two tenants.');
  const sessions = createSessions();
  const app = express();
  app.disable('x-powered-by');

  const embed = vitrine({
    portal: connectionOf(tenant),
    viewer: (req) => viewerOf(sessions.people(req)[0]),
    canView: ({ person }, itemId) => mayOpen(person, itemId),
    keyLifetime,
    actions: actions.actions,
    ...(logger === false && { logger }),
  });
  app.use('/api/embed', embed);
  // A real host has one viewer. The demo shows a second one beside it, who also comes from the session.
  const beside = vitrine({
    portal: connectionOf(tenant),
    viewer: (req) => viewerOf(sessions.people(req)[1]),
    canView: ({ person }, itemId) => mayOpen(person, itemId),
    keyLifetime,
    ...(logger === false && { logger }),
  });
  app.use('/api/embed-beside', beside);
  app.use('/demo/session', sessionRoutes(sessions, tenant.items));
  app.use('/demo/outage', outage(portal));
  app.use('/demo/broken-keys', brokenKeys(tenant, otherTenant));
  return { app, close: async () => void (await Promise.all([embed.close(), beside.close()])) };
};
