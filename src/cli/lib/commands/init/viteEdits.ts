import { create, type Edit, insert } from './edits.ts';
import type { Project } from './project.ts';
import { extensionOf, requireFile, scriptExtensions, withExtensions } from './scriptFiles.ts';
import { pageComponent, pageImports } from './snippets.ts';

/** Adds the plugin with its portal and key route, and a page of its own, to a Vite app. */
export const viteEdits = (project: Project): Edit[] => {
  const extension = `${extensionOf(project)}x`;
  return [
    insert(requireFile(project, 'Vite', withExtensions(['vite.config'], scriptExtensions)), {
      mark: '@vitrine/vite',
      pattern: /plugins:\s*\[/,
      importLine: `import { vitrine } from '@vitrine/vite';`,
      code: 'vitrine(), ',
    }),
    create(
      'vitrine.html',
      `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>A report</title></head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/vitrine.${extension}"></script>
  </body>
</html>
`,
    ),
    create(
      `src/vitrine.${extension}`,
      `${pageImports}import { createRoot } from 'react-dom/client';

${pageComponent('export')}
const root = document.getElementById('root');
if (root) createRoot(root).render(<ReportPage />);
`,
    ),
  ];
};
