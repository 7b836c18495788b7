import { create, type Edit, insert } from './edits.ts';
import type { Project } from './project.ts';
import { requireServer } from './requireServer.ts';
import { extensionOf, inLanguageOf, requireFile, scriptExtensions, withExtensions } from './scriptFiles.ts';
import starterFiles from './starterFiles.json' with { type: 'json' };

/** Adds the key route and a page to an app in framework mode. */
export const reactRouterEdits = (project: Project): Edit[] => {
  requireServer(project, withExtensions(['react-router.config'], scriptExtensions), /\bssr['"]?:\s*false\b/);
  const extension = extensionOf(project);
  const routes = requireFile(project, 'React Router', ['app/routes.ts', 'app/routes.js']);
  return [
    create(
      `app/routes/embed.${extension}`,
      inLanguageOf(project, starterFiles['react-router/app/routes/embed.ts']),
    ),
    create(`app/routes/vitrine.${extension}x`, starterFiles['react-router/app/routes/vitrine.tsx']),
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
