import starterFiles from './starterFiles.json' with { type: 'json' };

/** Frameworks that the Embed page has code for. */
export const embedFrameworks = ['Express + React', 'Next.js', 'Hono'] as const;

/** A framework of the Embed page. */
export type EmbedFramework = (typeof embedFrameworks)[number];

/** The embedded report, and a viewer that can see rows of it. */
export interface EmbedTarget {
  readonly itemId: number;
  readonly title: string;
  readonly userId: string;
  readonly roleNames: readonly string[];
}

/** Files of `examples`, and the commands that install their packages and start the app. */
interface Starter {
  readonly files: readonly (keyof typeof starterFiles)[];
  readonly commands: string;
}

/** The browser side of a host that uses Vite in development. */
const vitePages = ['vite-express/src/main.tsx', 'vite-express/vite.config.ts'] as const;

const starters: Readonly<Record<EmbedFramework, Starter>> = {
  'Express + React': {
    files: ['vite-express/server/vitrine.ts', 'vite-express/server/index.ts', ...vitePages],
    commands: `npm install @vitrine/express @vitrine/react express react react-dom @tanstack/react-query
npm install --save-dev vite @vitejs/plugin-react
node server/index.ts`,
  },
  'Next.js': {
    files: ['next/app/api/embed/[route]/route.ts', 'next/app/vitrine/page.tsx'],
    commands: 'npm install @vitrine/server @vitrine/react @tanstack/react-query\nnpx next dev',
  },
  Hono: {
    files: ['hono/server/vitrine.ts', 'hono/server/index.ts', ...vitePages],
    commands: `npm install @vitrine/server @vitrine/react hono @hono/node-server react react-dom @tanstack/react-query
npm install --save-dev vite @vitejs/plugin-react
node server/index.ts`,
  },
};

/** Commands to install the dependencies and to start. */
export const embedCommands = (framework: EmbedFramework): string => starters[framework].commands;

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

/** The files of the framework's starter, for a viewer and a report. Only the `.env.local` contains secrets. */
export const embedCode = (framework: EmbedFramework, target: EmbedTarget) =>
  starters[framework].files.map((file) => ({
    path: file.slice(file.indexOf('/') + 1),
    code: starterFiles[file]
      .replace("{ userId: 'developer', roleNames: ['all-regions'] }", () => viewerOf(target))
      .replace('as "developer"', () => `as ${JSON.stringify(target.userId)}`)
      .replace('itemId === 1042', `itemId === ${target.itemId}`)
      .replace(/<EmbeddedReport .*\/>/, () => report(target)),
  }));
