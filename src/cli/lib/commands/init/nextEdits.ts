import { basePathOf } from './devAddress.ts';
import { create, type Edit } from './edits.ts';
import type { Project } from './project.ts';
import { requireServer } from './requireServer.ts';
import { extensionOf, inLanguageOf, withExtensions } from './scriptFiles.ts';
import starterFiles from './starterFiles.json' with { type: 'json' };

/** Configuration files of Next.js. */
export const nextConfigurations = withExtensions(['next.config'], ['ts', 'mjs', 'js']);

/** Adds the key route and a page to an app, with the App Router, which works alongside the Pages Router. */
export const nextEdits = (project: Project): Edit[] => {
  requireServer(project, nextConfigurations, /\boutput['"]?:\s*['"]export['"]/);
  // Next.js requires both routers in one folder.
  const source = project.find(['src/app', 'app', 'src/pages'])?.startsWith('src/') ? 'src/' : '';
  const app = `${source}app`;
  const scripts = '{js,jsx,ts,tsx}';
  const find = (...patterns: string[]) =>
    patterns
      .map((pattern) => project.match(`${source}${pattern}.${scripts}`))
      .find((file) => file !== undefined);
  const extension = extensionOf(project);
  const basePath = basePathOf(project, nextConfigurations);
  const page = `${app}/vitrine/page.${extension}x`;
  const foundPage = find('app/{,(*)/}vitrine/{page,route}', 'pages/vitrine', 'pages/vitrine/index');
  const isAlone = find('app/layout', 'app/vitrine/layout') === undefined && (foundPage ?? page) === page;
  return [
    create(
      find('app/api/embed/**/route', 'pages/api/embed', 'pages/api/embed/**/*') ??
        `${app}/api/embed/[route]/route.${extension}`,
      starterFiles['next/app/api/embed/[route]/route.ts'],
    ),
    create(
      foundPage ?? page,
      starterFiles['next/app/vitrine/page.tsx'].replace(
        '<EmbedProvider>',
        basePath === '' ? '<EmbedProvider>' : `<EmbedProvider endpoint="${basePath}/api/embed">`,
      ),
    ),
    ...(isAlone
      ? [
          create(
            `${app}/vitrine/layout.${extension}x`,
            inLanguageOf(project, starterFiles['next/app/layout.tsx']),
          ),
        ]
      : []),
  ];
};
