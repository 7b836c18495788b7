import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPortal } from '@vitrine/portal';
import { onTestFinished } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { watchReport } from '../support/watchReport.ts';
import { codeBlocks } from './harness/codeBlocks.ts';
import { type ConsumerOptions, createConsumer } from './harness/createConsumer.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { versionsOf } from './harness/versions.ts';

/** An app built from packed packages, with a portal and a browser. */
export type InstalledHost = Awaited<ReturnType<typeof installHost>>;

export interface HostOptions extends Partial<ConsumerOptions> {
  /** Guides whose files complete the app, by name under `docs/guides`. */
  readonly guides: readonly string[];
  /** Program that builds the app, and its arguments. */
  readonly build: readonly [program: string, ...args: string[]];
}

/**
 * Installs and builds a host of `test/packages/apps` with what all hosts need, without a secret in the build environment.
 */
export const installHost = async ({ guides, build, ...options }: HostOptions) => {
  const [portal, browser, app] = await Promise.all([
    createPortal(),
    launchBrowser(),
    createConsumer({
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
  for (const { file, code } of guides.flatMap((name) => codeBlocks(`docs/guides/${name}.md`))) {
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
    /** The tenant whose reports it shows. */
    tenant,
    /** Starts a server of the app and returns its origin. */
    serve: (command: string, env?: Readonly<Record<string, string>>): Promise<string> => {
      const secrets = { ...portalEnv(tenant), WEBHOOK_SECRET: tenant.webhookSecret };
      return app.serve(command, { ...secrets, ...env });
    },
    /** Opens an empty page in its own browser context, until the end of the test, and records it. */
    open: async () => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      return watchReport(await context.newPage());
    },
    close: () => Promise.all([portal.close(), browser.close(), app.remove()]),
  };
};
