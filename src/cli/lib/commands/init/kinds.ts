import { UsageError } from '../../output/usageError.ts';
import { backendAddress, backendEdits } from './backendEdits.ts';
import { nextEdits } from './nextEdits.ts';
import type { Project } from './project.ts';
import type { ProjectKind } from './projectKind.ts';
import { reactRouterEdits } from './reactRouterEdits.ts';
import { viteEdits } from './viteEdits.ts';

const expressApp = /^(?:const|let|var) (\w+) = express\(\);?/m;
const honoApp = /^(?:const|let|var) (\w+) = new Hono(?:<[^>]*>)?\(\);?/m;

const serverPackages = ['@vitrine/react', '@vitrine/server', '@tanstack/react-query'];

/** Every kind, the most particular first. */
export const kinds: readonly ProjectKind[] = [
  {
    title: 'Next.js',
    detectedBy: 'next',
    packages: serverPackages,
    developmentPackages: ['vitrine'],
    address: () => 'http://localhost:3000/vitrine',
    edits: nextEdits,
  },
  {
    title: 'React Router',
    detectedBy: '@react-router/dev',
    packages: serverPackages,
    developmentPackages: ['vitrine'],
    address: () => 'http://localhost:5173/vitrine',
    edits: reactRouterEdits,
  },
  {
    title: 'Express',
    detectedBy: 'express',
    packages: ['@vitrine/express'],
    developmentPackages: ['vitrine'],
    address: (project) => backendAddress(project, expressApp),
    edits: (project) =>
      backendEdits(project, {
        title: 'Express',
        creation: expressApp,
        imports: "import { portalFromEnv, vitrine } from '@vitrine/express';",
        handler: 'vitrine',
        code: "\napp.use('/api/embed', embed);\napp.get('/vitrine', (_request, response) => void response.send(page));",
      }),
  },
  {
    title: 'Hono',
    detectedBy: 'hono',
    packages: ['@vitrine/server'],
    developmentPackages: ['vitrine'],
    address: (project) => backendAddress(project, honoApp),
    edits: (project) =>
      backendEdits(project, {
        title: 'Hono',
        creation: honoApp,
        imports: "import { createFetchHandler, portalFromEnv } from '@vitrine/server';",
        handler: 'createFetchHandler',
        code: "\napp.all('/api/embed/*', (c) => embed(c.req.raw));\napp.get('/vitrine', (c) => c.html(page));",
      }),
  },
  {
    title: 'Vite',
    detectedBy: 'vite',
    packages: ['@vitrine/react', '@tanstack/react-query'],
    developmentPackages: ['@vitrine/vite'],
    address: () => 'http://localhost:5173/vitrine.html',
    edits: viteEdits,
  },
];

/** Which kind of app it is. Throws when it is none that we know. */
export const detectKind = ({ manifest }: Project): ProjectKind => {
  const installed = { ...manifest.dependencies, ...manifest.devDependencies };
  const kind = kinds.find(({ detectedBy }) => detectedBy in installed);
  if (kind !== undefined) return kind;
  const known = kinds.map(({ title }) => title).join(', ');
  throw new UsageError(
    `This app does not use ${known}: package.json lists none of them. The guides show how to add Vitrine by hand.`,
  );
};
