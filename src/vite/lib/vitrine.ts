import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { problemMediaType } from '@vitrine/contract';
import { checkOptions, explain, type OptionRules } from '@vitrine/contract/service';
import { type Portal, type PortalSeed, type PortalTenant, readSeedFile } from '@vitrine/portal';
import { createNodeHandler, type MaybePromise, type Viewer } from '@vitrine/server';
import type { Plugin, ViteDevServer } from 'vite';
import { sharePortal } from './sharePortal.ts';
import { connectionOf, startActions } from './startActions.ts';

/** Options of {@link vitrine}. Each has a default. */
export interface VitrinePluginOptions {
  /**
   * The viewer: an object, or a function of the request for an app with its own sign-in. A function that returns
   * nothing means that nobody is signed in. Default: `developer` with every RLS role of the tenant.
   */
  readonly viewer?: Viewer | ((request: IncomingMessage) => MaybePromise<Viewer | undefined | null>);
  /** Tenancy name of the tenant whose reports are shown. Default: the first tenant of the portal. */
  readonly tenant?: string;
  /** Path of the key route: the `endpoint` of `<EmbedProvider>`. Default `/api/embed`. */
  readonly endpoint?: string;
  /** Port of the portal; while it is in use, each request of the endpoint tries again. Default: a free port. */
  readonly port?: number;
  /**
   * The portal's initial data: a seed, or the path of a seed file relative to the root of the app. Default: two sample
   * companies with reports.
   */
  readonly seed?: string | PortalSeed;
}

/**
 * A Vite plugin for development: it starts a portal with sample reports in the Vite process, serves the key route and
 * the action stream, and writes nothing to disk. It does nothing in `vite build` and `vite preview`, and prevents a
 * Vite server from starting in production: create keys there in a backend with `@vitrine/express` or `@vitrine/server`.
 *
 * @example
 * ```ts
 * import { vitrine } from '@vitrine/vite';
 * import { defineConfig } from 'vite';
 *
 * export default defineConfig({ plugins: [vitrine()] });
 * ```
 */
export const vitrine = (options: VitrinePluginOptions = {}): Plugin => {
  rejectWrongOptions(options);
  // While Vite restarts, one plugin may serve two servers: the environment tells them apart.
  const ends = new WeakMap<object, () => Promise<void>>();
  return {
    name: 'vitrine',
    apply: (_, { command, isPreview }) => command === 'serve' && isPreview !== true,
    configResolved: ({ isProduction, mode }) => {
      if (isProduction || mode === 'production')
        throw new Error(
          '@vitrine/vite: this Vite server runs in production mode, but the plugin is only for development: its secrets are public and everyone is signed in. Serve the build, and create keys in a backend with @vitrine/express or @vitrine/server.',
        );
    },
    configureServer: async (server) => {
      ends.set(server.environments.client, await serve(server, options));
    },
    async closeBundle() {
      await ends.get(this.environment)?.();
    },
  };
};

/** Serves the endpoint. While the portal does not start, each request of the endpoint tries again. */
const serve = async (server: ViteDevServer, options: VitrinePluginOptions): Promise<() => Promise<void>> => {
  const { endpoint = '/api/embed' } = options;
  let mounted: ReturnType<typeof mountPortal> | undefined;
  const mount = async () => {
    mounted ??= mountPortal(server, options);
    const found = await mounted;
    if (found === undefined) mounted = undefined;
    return found;
  };
  await mount();
  server.middlewares.use((request, response, next) => {
    if (request.url?.startsWith(`${endpoint}/`) !== true) return next();
    mount().then((found) => {
      if (found !== undefined) return found.handler(request, response, next);
      const detail = 'The development portal did not start: see the terminal. The next request tries again.';
      response.writeHead(503, { 'content-type': problemMediaType });
      response.end(JSON.stringify({ code: 'portal_unavailable', status: 503, title: detail, detail }));
    }, next);
  });
  return async () => (await mounted)?.close();
};

/** Starts the portal and its handler. Undefined, with a line in the terminal, if the portal does not start. */
const mountPortal = async (
  server: ViteDevServer,
  { viewer, tenant: tenancyName, endpoint = '/api/embed', port, seed }: VitrinePluginOptions,
) => {
  const { root, logger } = server.config;
  const lease = await sharePortal(root, {
    ...(port !== undefined && { port }),
    ...(seed !== undefined && {
      seed: typeof seed === 'string' ? await readSeedFile(resolve(root, seed)) : seed,
    }),
  }).catch((error: Error) => {
    logger.error(error.message, { timestamp: true });
    return undefined;
  });
  if (lease === undefined) return undefined;
  const { portal, release } = lease;
  const closers = [release];
  const closeAll = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const tenant = findTenant(portal, tenancyName);
    const developer = { userId: 'developer', roleNames: tenant.roleNames };
    // Every viewer with a key of this server receives every click: it is one person with some tabs.
    const seen = new Set<string>();
    const actions = await startActions(portal, tenant, () => [...seen]);
    closers.push(actions.close);
    const handler = createNodeHandler({
      portal: connectionOf(tenant),
      viewer: async (request) => {
        const who = typeof viewer === 'function' ? await viewer(request) : (viewer ?? developer);
        if (who) seen.add(who.userId);
        return who;
      },
      canView: () => true,
      endpoint,
      actions: actions.actions,
      logger: {
        debug: () => undefined,
        info: () => undefined,
        warn: (fields, message) => logger.warn(describeLine(fields, message), { timestamp: true }),
        error: (fields, message) => logger.error(describeLine(fields, message), { timestamp: true }),
      },
    });
    closers.push(handler.close);
    printAfterUrls(server, describePortal(portal, tenant));
    return { handler, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
};

/** A line of the log for a terminal: what happened, why, and what to do. */
const describeLine = (fields: object, message: string): string => {
  const { code, problem, hint, requestId }: Record<string, unknown> = { ...fields };
  const about = [code, requestId].filter((one) => typeof one === 'string').join(', ');
  const words = [message, problem, hint].filter((one) => typeof one === 'string').join(' ');
  return `[vitrine] ${words}${about === '' ? '' : ` (${about})`}`;
};

const rules: OptionRules<keyof VitrinePluginOptions> = {
  viewer: true,
  tenant: { kind: 'text' },
  endpoint: true,
  port: { kind: 'whole', min: 0, max: 65_535 },
  seed: true,
};

const rejectWrongOptions = (options: VitrinePluginOptions): void => {
  const failure = checkOptions('vitrine()', options, rules);
  if (failure !== undefined) {
    const { what } = explain(failure, 'option');
    throw new Error(`@vitrine/vite: ${what}`);
  }
  const { viewer } = options;
  if (viewer !== undefined && typeof viewer !== 'function' && !viewer?.userId)
    throw new Error(
      '@vitrine/vite: Option "viewer" must be an object such as { userId: "jane" }, or a function of the request.',
    );
};

const findTenant = ({ tenants }: Portal, tenancyName: string | undefined): PortalTenant => {
  const tenant =
    tenancyName === undefined ? tenants[0] : tenants.find((one) => one.tenancyName === tenancyName);
  if (tenant === undefined)
    throw new Error(
      `@vitrine/vite: the portal has no tenant ${JSON.stringify(tenancyName ?? '')}. Its tenants are ${tenants.map((one) => one.tenancyName).join(', ') || 'none'}.`,
    );
  return tenant;
};

const describePortal = ({ url }: Portal, { items }: PortalTenant): readonly string[] => [
  `  ➜  Portal:  ${url}/`,
  ...items.map(({ id, displayName }) => `  ➜  Report:  <EmbeddedReport itemId={${id}} /> ${displayName}`),
];

const printAfterUrls = (server: ViteDevServer, lines: readonly string[]): void => {
  const printUrls = server.printUrls.bind(server);
  server.printUrls = () => {
    printUrls();
    for (const line of lines) server.config.logger.info(line);
  };
};
