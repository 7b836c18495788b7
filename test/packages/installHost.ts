import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import type { Browser } from 'playwright';
import { onTestFinished } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { type WatchedPage, watchReport } from '../support/watchReport.ts';
import { codeBlocks } from './harness/codeBlocks.ts';
import { type Consumer, type ConsumerOptions, createConsumer } from './harness/createConsumer.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { versionsOf } from './harness/versions.ts';

/** An app built from packed packages, with a portal and a browser. */
export interface InstalledHost {
  readonly app: Consumer;
  readonly browser: Browser;
  readonly portal: Portal;
  /** The tenant whose reports it shows. */
  readonly tenant: PortalTenant;
  /** Starts a server of the app and returns its origin. */
  readonly serve: (file: string, env?: Readonly<Record<string, string>>) => Promise<string>;
  /** Opens an empty page in its own browser context, until the end of the test, and records it. */
  readonly open: () => Promise<WatchedPage>;
  readonly close: () => Promise<unknown>;
}

export interface HostOptions extends Partial<ConsumerOptions> {
  /** Guide whose files complete the app. */
  readonly guide?: string;
  /** Program that builds the app, and its arguments. */
  readonly build: readonly [program: string, ...args: string[]];
}

/**
 * Installs and builds a host of `test/packages/apps` with what all hosts need, without a secret in the build environment.
 */
export const installHost = async ({ guide, build, ...options }: HostOptions): Promise<InstalledHost> => {
  const [portal, browser, app] = await Promise.all([
    createPortal(),
    launchBrowser(),
    createConsumer({
      apps: 'test/packages/apps',
      packages: ['contract', 'portal-client', 'server', 'react'],
      ...options,
      registry: {
        ...versionsOf('@tanstack/react-query', '@types/node', '@types/react', '@types/react-dom'),
        ...versionsOf('react', 'react-dom'),
        ...options.registry,
      },
      tools: ['typescript', ...(options.tools ?? [])],
    }),
  ]);
  for (const { file, code } of guide === undefined ? [] : codeBlocks(guide)) {
    if (file === undefined) continue;
    mkdirSync(dirname(join(app.folder, file)), { recursive: true });
    writeFileSync(join(app.folder, file), code);
  }
  await app.bin(...build);
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');
  return {
    app,
    browser,
    portal,
    tenant,
    serve: async (file, env) => {
      const secrets = { ...portalEnv(tenant), WEBHOOK_SECRET: tenant.webhookSecret };
      return `http://localhost:${await app.serve(file, { ...secrets, ...env })}`;
    },
    open: async () => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      return watchReport(await context.newPage());
    },
    close: () => Promise.all([portal.close(), browser.close(), app.remove()]),
  };
};
