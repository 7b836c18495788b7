import { create, type Edit, insert } from './edits.ts';
import type { Project } from './project.ts';
import { extensionOf, requireFile, scriptExtensions, withExtensions } from './scriptFiles.ts';
import { beforeOpenBracket } from './sourcePlaces.ts';
import starterFiles from './starterFiles.json' with { type: 'json' };

/** Configuration files of Vite. */
export const viteConfigurations = withExtensions(['vite.config'], scriptExtensions);

/** Adds the plugin, with its portal and key route, and a page to a Vite app. */
export const viteEdits = (project: Project): Edit[] => {
  const extension = `${extensionOf(project)}x`;
  return [
    insert(requireFile(project, 'Vite', viteConfigurations), {
      done: /@vitrine\/vite/,
      pattern: /\bplugins:\s*\[/g,
      // Not the plugins of PostCSS, Rollup, Babel or another plugin.
      isRight: (before) =>
        /(?:export default|\bdefineConfig(?:<[^>]*>)?\(|=>\s*\(|\breturn|[\w>}\]]\s*=)\s*$/.test(
          beforeOpenBracket(before),
        ),
      importLine: `import { vitrine } from '@vitrine/vite';`,
      code: 'vitrine(), ',
    }),
    create(
      'vitrine.html',
      `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>A report</title><link rel="icon" href="data:," /></head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/vitrine.${extension}"></script>
  </body>
</html>
`,
    ),
    create(`src/vitrine.${extension}`, starterFiles['vite-express/src/main.tsx']),
  ];
};
