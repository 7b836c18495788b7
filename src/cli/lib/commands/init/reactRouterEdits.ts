import { create, type Edit, insert } from './edits.ts';
import type { Project } from './project.ts';
import { requireServer } from './requireServer.ts';
import { extensionOf, requireFile, scriptExtensions, withExtensions } from './scriptFiles.ts';
import { access, pageComponent, pageImports } from './snippets.ts';

/** Adds the key route and a page to an app in framework mode. */
export const reactRouterEdits = (project: Project): Edit[] => {
  requireServer(project, withExtensions(['react-router.config'], scriptExtensions), /\bssr['"]?:\s*false\b/);
  const extension = extensionOf(project);
  const routes = requireFile(project, 'React Router', ['app/routes.ts', 'app/routes.js']);
  const request = project.isTypeScript ? '{ request }: { request: Request }' : '{ request }';
  return [
    create(
      `app/routes/embed.${extension}`,
      `import { createFetchHandler, portalFromEnv } from '@vitrine/server';

const handler = createFetchHandler({
  portal: () => portalFromEnv(), // read when a key is requested: a build needs no secret
${access}
});

export const loader = (${request}) => handler(request);
export const action = (${request}) => handler(request);
`,
    ),
    create(`app/routes/vitrine.${extension}x`, `${pageImports}\n${pageComponent('export default')}`),
    insert(routes, {
      done: /\bvitrineRoute\(|['"]routes\/embed\./,
      taken: /\broute\(\s*['"]\/?(?:vitrine|api\/embed)(?![\w-])/,
      pattern: /\bexport default \[/g,
      importLine: `import { route as vitrineRoute } from '@react-router/dev/routes';`,
      code: `
  vitrineRoute('api/embed/:route', 'routes/embed.${extension}'),
  vitrineRoute('vitrine', 'routes/vitrine.${extension}x'),
 `,
    }),
  ];
};
