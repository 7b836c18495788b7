import starterFiles from './starterFiles.json' with { type: 'json' };

/** The embedded report, and a viewer that can see rows of it. */
export interface EmbedTarget {
  readonly itemId: number;
  readonly title: string;
  readonly userId: string;
  readonly roleNames: readonly string[];
}

/** The browser side of a host that uses Vite in development. */
const vite = ['vite-express/index.html', 'vite-express/src/main.tsx', 'vite-express/vite.config.ts'] as const;

const viteCommands = `npm install --save-dev vite @vitejs/plugin-react
node server/index.ts
# In a second terminal. Then open http://localhost:5173.
npx vite`;

/** Files of `examples`, and the commands that install their packages and start the app. */
const starters = {
  'Express + React': {
    files: ['vite-express/server/vitrine.ts', 'vite-express/server/index.ts', ...vite],
    commands: `npm install @vitrine/express @vitrine/react express react react-dom @tanstack/react-query
${viteCommands}`,
  },
  'Next.js': {
    files: ['next/app/api/embed/[route]/route.ts', 'next/app/vitrine/page.tsx'],
    commands: `npm install @vitrine/server @vitrine/react @tanstack/react-query next react react-dom
# Then open http://localhost:3000/vitrine.
npx next dev`,
  },
  Hono: {
    files: ['hono/server/vitrine.ts', 'hono/server/index.ts', ...vite],
    commands: `npm install @vitrine/server @vitrine/react hono @hono/node-server react react-dom @tanstack/react-query
${viteCommands}`,
  },
} as const;

/** A framework of the Embed page. */
export type EmbedFramework = keyof typeof starters;

/** Frameworks that the Embed page has code for. */
export const embedFrameworks = Object.keys(starters) as readonly EmbedFramework[];

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
