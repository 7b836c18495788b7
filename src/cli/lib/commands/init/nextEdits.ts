import { basePathOf } from './devAddress.ts';
import { create, type Edit } from './edits.ts';
import type { Project } from './project.ts';
import { requireServer } from './requireServer.ts';
import { extensionOf, withExtensions } from './scriptFiles.ts';
import { access, pageComponent, pageImports } from './snippets.ts';

/** Configuration files of Next.js. */
export const nextConfigurations = withExtensions(['next.config'], ['ts', 'mjs', 'js']);

/**
 * The component reads the clock: Next.js requires a Suspense boundary around it, unless the page waits for the request.
 */
const nextPage = (
  basePath: string,
): string => `${pageImports.replace('\n', "\nimport { Suspense } from 'react';\n")}
${pageComponent('export default', basePath).replace(/( +)(<EmbeddedReport .*)/, '$1<Suspense>\n$1  $2\n$1</Suspense>')}`;

const nextLayout = (isTypeScript: boolean): string =>
  `${isTypeScript ? "import type { ReactNode } from 'react';\n\n" : ''}export default function Layout({ children }${isTypeScript ? ': { children: ReactNode }' : ''}) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`;

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
  const page = `${app}/vitrine/page.${extension}x`;
  const foundPage = find('app/{,(*)/}vitrine/{page,route}', 'pages/vitrine', 'pages/vitrine/index');
  const isAlone = find('app/layout', 'app/vitrine/layout') === undefined && (foundPage ?? page) === page;
  return [
    create(
      find('app/api/embed/**/route', 'pages/api/embed', 'pages/api/embed/**/*') ??
        `${app}/api/embed/[route]/route.${extension}`,
      `import { createFetchHandler, portalFromEnv } from '@vitrine/server';

const handler = createFetchHandler({
  portal: () => portalFromEnv(), // read when a key is requested: a build needs no secret
${access}
});

export { handler as GET, handler as POST };
`,
    ),
    create(foundPage ?? page, nextPage(basePathOf(project, nextConfigurations))),
    ...(isAlone ? [create(`${app}/vitrine/layout.${extension}x`, nextLayout(project.isTypeScript))] : []),
  ];
};
