import { create, type Edit } from './edits.ts';
import type { Project } from './project.ts';
import { extensionOf } from './scriptFiles.ts';
import { access, pageComponent, pageImports } from './snippets.ts';

/** The component reads the clock. Next.js wants that below a boundary, unless a page waits for the request. */
const nextPage = `${pageImports.replace('\n', "\nimport { Suspense } from 'react';\n")}
${pageComponent('export default').replace(/( +)(<EmbeddedReport .*)/, '$1<Suspense>\n$1  $2\n$1</Suspense>')}`;

/** Adds the key route and a page to an app with the App Router. */
export const nextEdits = (project: Project): Edit[] => {
  const app = project.find(['src/app', 'app']) ?? 'app';
  const extension = extensionOf(project);
  return [
    create(
      `${app}/api/embed/[route]/route.${extension}`,
      `import { createFetchHandler, portalFromEnv } from '@vitrine/server';

const handler = createFetchHandler({
  portal: () => portalFromEnv(), // read when a key is requested: a build needs no secret
${access}
});

export { handler as GET, handler as POST };
`,
    ),
    create(`${app}/vitrine/page.${extension}x`, nextPage),
  ];
};
