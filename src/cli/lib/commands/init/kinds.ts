import { UsageError } from '../../output/usageError.ts';
import { backendAddress, backendEdits, importsServer } from './backendEdits.ts';
import { devAddress } from './devAddress.ts';
import { nextConfigurations, nextEdits } from './nextEdits.ts';
import { isWorkspaceRoot } from './packageManagerOf.ts';
import type { Project } from './project.ts';
import type { ProjectKind } from './projectKind.ts';
import { reactRouterEdits } from './reactRouterEdits.ts';
import { viteConfigurations, viteEdits } from './viteEdits.ts';

const declaration = String.raw`^[ \t]*(?:export )?(?:const|let|var) (\w+)(?:\s*:[^=\n]+)?\s*=\s*`;
// The whole statement: `express().use()` is something else.
const call = String.raw`\(\)(?:;|(?!\s*[.,]))(?=[ \t]*\r?$)`;
const expressApp = new RegExp(`${declaration}express${call}`, 'gm');
const honoApp = new RegExp(`${declaration}new Hono(?:<[^>]*>)?${call}`, 'gm');

const serverPackages = ['@vitrine/react', '@vitrine/server', '@tanstack/react-query'];

/** All kinds, most specific first. */
export const kinds: readonly ProjectKind[] = [
  {
    title: 'Next.js',
    detectedBy: 'next',
    packages: serverPackages,
    developmentPackages: ['vitrine'],
    address: (project) =>
      devAddress(project, { configurations: nextConfigurations, port: 3000, path: '/vitrine' }),
    edits: nextEdits,
  },
  {
    title: 'React Router',
    detectedBy: '@react-router/dev',
    packages: serverPackages,
    developmentPackages: ['vitrine'],
    address: (project) =>
      devAddress(project, { configurations: viteConfigurations, port: 5173, path: '/vitrine' }),
    edits: reactRouterEdits,
  },
  {
    title: 'Express',
    isServer: true,
    hasServer: (project) => importsServer(project, 'express'),
    detectedBy: 'express',
    packages: ['@vitrine/express'],
    developmentPackages: ['vitrine'],
    address: (project) => backendAddress(project, expressApp),
    edits: (project) =>
      backendEdits(project, {
        title: 'Express',
        creation: expressApp,
        example: 'const app = express();',
        starter: 'vite-express',
        code: "\n// Move these lines below your session and sign-in, if you have them.\napp.use('/api/embed', embed);\napp.get('/vitrine', (_request, response) => void response.send(page));",
      }),
  },
  {
    title: 'Hono',
    isServer: true,
    hasServer: (project) => importsServer(project, 'hono'),
    detectedBy: 'hono',
    packages: ['@vitrine/server'],
    developmentPackages: ['vitrine'],
    address: (project) => backendAddress(project, honoApp),
    edits: (project) =>
      backendEdits(project, {
        title: 'Hono',
        creation: honoApp,
        example: 'const app = new Hono();',
        starter: 'hono',
        code: "\n// Move these lines below your session and sign-in, if you have them.\napp.all('/api/embed/*', (c) => embed(c.req.raw));\napp.get('/vitrine', (c) => c.html(page));",
      }),
  },
  {
    title: 'Vite',
    detectedBy: 'vite',
    packages: ['@vitrine/react', '@tanstack/react-query'],
    developmentPackages: ['@vitrine/vite'],
    address: (project) =>
      devAddress(project, { configurations: viteConfigurations, port: 5173, path: '/vitrine.html' }),
    edits: viteEdits,
  },
];

/** Minimum major versions that our packages and generated files support. */
const oldest = { next: 14, express: 4, vite: 6, react: 18, '@tanstack/react-query': 5 } as const;

const checkVersions = (kind: ProjectKind, installed: Readonly<Record<string, string>>): ProjectKind => {
  const used = [kind.detectedBy, ...kind.packages];
  for (const [name, major] of Object.entries(oldest)) {
    const range = installed[name] ?? '';
    // Anything except a plain range, such as a tag or a workspace, may be any version.
    const [, found] = /^[~^v=]?(\d+)(?:\.[\w.-]+)?$/.exec(range) ?? [];
    const isUsed = used.includes(name) || (name === 'react' && used.includes('@vitrine/react'));
    if (isUsed && found !== undefined && Number(found) < major)
      throw new UsageError(
        `Vitrine needs ${name} ${major} or newer; package.json has ${range}. Update it first.`,
      );
  }
  return kind;
};

/** Detects the kind of an app. Throws if it is unknown. */
export const detectKind = (project: Project): ProjectKind => {
  const { manifest } = project;
  const installed = { ...manifest.dependencies, ...manifest.devDependencies };
  const isVite = 'vite' in installed && project.find(viteConfigurations) !== undefined;
  const kind = kinds.find(
    ({ detectedBy, hasServer }) => detectedBy in installed && (!isVite || hasServer?.(project) !== false),
  );
  if (kind?.packages.includes('@vitrine/react') && !('react' in installed))
    throw new UsageError(`This ${kind.title} app does not use React: package.json does not list react.`);
  if (kind?.title === 'Hono' && 'wrangler' in installed && !('@hono/node-server' in installed))
    throw new UsageError(
      'This Hono app runs on Cloudflare Workers. The server packages of Vitrine need Node.js or Deno: add the key route to a backend there.',
    );
  if (kind !== undefined) return checkVersions(kind, installed);
  if (isWorkspaceRoot(project))
    throw new UsageError('This is the root of a workspace. Run the command in the folder of the app.');
  const known = kinds.map(({ title }) => title).join(', ');
  throw new UsageError(
    `This app does not use ${known}: package.json lists none of them. The guides show how to add Vitrine by hand.`,
  );
};
