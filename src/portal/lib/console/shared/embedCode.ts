/** Frameworks that the Embed page has code for. */
export const embedFrameworks = ['Express + React', 'Next.js', 'Hono'] as const;

/** A framework of the Embed page. */
export type EmbedFramework = (typeof embedFrameworks)[number];

/** A file to paste. */
export interface EmbedFile {
  readonly path: string;
  readonly code: string;
}

/** The embedded report, and a viewer that can see rows of it. */
export interface EmbedTarget {
  readonly itemId: number;
  readonly title: string;
  readonly userId: string;
  readonly roleNames: readonly string[];
}

/** Commands to install the dependencies and to start. */
export const embedCommands: Readonly<Record<EmbedFramework, string>> = {
  'Express + React':
    'npm install @vitrine/express @vitrine/react express react react-dom @tanstack/react-query vite\nnode --env-file=.env server.ts',
  'Next.js': 'npm install @vitrine/server @vitrine/react @tanstack/react-query\nnpx next dev',
  Hono: 'npm install @vitrine/server @vitrine/react hono @hono/node-server react react-dom @tanstack/react-query vite\nnode --env-file=.env server.ts',
};

/** A string literal: in single quotes, or in double quotes if it contains single ones. */
const quoted = (text: string): string => {
  const json = JSON.stringify(text);
  return text.includes("'") || json.slice(1, -1) !== text ? json : `'${text}'`;
};

const viewerOf = ({ userId, roleNames }: EmbedTarget): string =>
  `{ userId: ${quoted(userId)}, roleNames: [${roleNames.map(quoted).join(', ')}] }`;

const report = ({ itemId, title }: EmbedTarget): string =>
  `<EmbeddedReport itemId={${itemId}} title=${
    /^[^"\\&{}]*$/.test(title) ? `"${title}"` : `{${JSON.stringify(title)}}`
  } />`;

const imports = `import { EmbeddedReport } from '@vitrine/react';
import '@vitrine/react/styles.css';
`;

/** The browser side of a host that uses Vite in development. */
const vitePages = (target: EmbedTarget): readonly EmbedFile[] => [
  {
    path: 'src/ReportPage.tsx',
    code: `${imports}
export const ReportPage = () => ${report(target)};
`,
  },
  {
    path: 'vite.config.ts',
    code: `import { defineConfig } from 'vite';

export default defineConfig({
  // In development, forwards key requests to the server above.
  server: { proxy: { '/api/embed': 'http://localhost:3000' } },
});
`,
  },
];

const express = (target: EmbedTarget): readonly EmbedFile[] => [
  {
    path: 'server.ts',
    code: `import { portalFromEnv, vitrine } from '@vitrine/express';
import express from 'express';

const app = express();

app.use(
  '/api/embed',
  vitrine({
    portal: portalFromEnv(),
    // The user of your sign-in: req.user, a session, a token.
    viewer: () => (${viewerOf(target)}),
    // Your own rule: who may open which report.
    canView: (_viewer, itemId) => itemId === ${target.itemId},
  }),
);

app.listen(process.env.PORT ?? 3000);
`,
  },
  ...vitePages(target),
];

const next = (target: EmbedTarget): readonly EmbedFile[] => [
  {
    path: 'app/api/embed/[route]/route.ts',
    code: `import { createFetchHandler, portalFromEnv } from '@vitrine/server';

const handler = createFetchHandler({
  portal: portalFromEnv(),
  // The user of your sign-in, from the session of the request.
  viewer: () => (${viewerOf(target)}),
  // Your own rule: who may open which report.
  canView: (_viewer, itemId) => itemId === ${target.itemId},
});

export const GET = handler;
export const POST = handler;
`,
  },
  {
    path: 'app/report/page.tsx',
    code: `'use client';

${imports}
export default function ReportPage() {
  return ${report(target)};
}
`,
  },
];

const hono = (target: EmbedTarget): readonly EmbedFile[] => [
  {
    path: 'server.ts',
    code: `import { serve } from '@hono/node-server';
import { createFetchHandler, portalFromEnv } from '@vitrine/server';
import { type Context, Hono } from 'hono';

const app = new Hono();

const embed = createFetchHandler({
  portal: portalFromEnv(),
  webRequest: (c: Context) => c.req.raw,
  // The user of your sign-in: c.get('user'), a session, a token.
  viewer: () => (${viewerOf(target)}),
  // Your own rule: who may open which report.
  canView: (_viewer, itemId) => itemId === ${target.itemId},
});
app.all('/api/embed/*', embed);

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
`,
  },
  ...vitePages(target),
];

/** The files that embed a report, ready to paste. Only the `.env` contains secrets. */
export const embedCode = (framework: EmbedFramework, target: EmbedTarget): readonly EmbedFile[] => {
  switch (framework) {
    case 'Express + React':
      return express(target);
    case 'Next.js':
      return next(target);
    case 'Hono':
      return hono(target);
  }
};
