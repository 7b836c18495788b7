import { UsageError } from '../../output/usageError.ts';
import { create, type Edit, insert } from './edits.ts';
import type { Project } from './project.ts';
import { access, loadVariables, pageComponent, pageImports, plainPage } from './snippets.ts';

/** What `vitrine init` does in one kind of app. */
export interface ProjectKind {
  readonly title: string;
  /** The package whose presence says that an app is of this kind. */
  readonly detectedBy: string;
  readonly packages: readonly string[];
  readonly developmentPackages: readonly string[];
  /** Where the report is to be seen once the app runs. */
  readonly address: string;
  readonly edits: (project: Project) => readonly Edit[];
}

const serverPackages = ['@vitrine/react', '@vitrine/server', '@tanstack/react-query'];

const extensionOf = ({ isTypeScript }: Project) => (isTypeScript ? 'ts' : 'js');

const requireFile = (project: Project, title: string, files: readonly string[]): string => {
  const file = project.find(files);
  if (file === undefined)
    throw new UsageError(
      `This ${title} app has none of these files: ${files.join(', ')}. Run this in its folder.`,
    );
  return file;
};

const withExtensions = (names: readonly string[], extensions: readonly string[]): string[] =>
  names.flatMap((name) => extensions.map((extension) => `${name}.${extension}`));

const scriptExtensions = ['ts', 'js', 'mts', 'mjs', 'cjs'];

/** The component reads the clock. Next.js wants that below a boundary, unless a page waits for the request. */
const nextPage = `import { Suspense } from 'react';
${pageImports}
${pageComponent('export default').replace(/( +)(<EmbeddedReport .*)/, '$1<Suspense>\n$1  $2\n$1</Suspense>')}`;

const nextEdits = (project: Project): Edit[] => {
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

const reactRouterEdits = (project: Project): Edit[] => {
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
      mark: 'api/embed',
      pattern: /export default \[/,
      importLine: `import { route as vitrineRoute } from '@react-router/dev/routes';`,
      code: `
  vitrineRoute('api/embed/:route', 'routes/embed.${extension}'),
  vitrineRoute('vitrine', 'routes/vitrine.${extension}x'),
 `,
    }),
  ];
};

const viteEdits = (project: Project): Edit[] => {
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

const serverFiles = withExtensions(
  ['src/index', 'src/server', 'src/app', 'server/index', 'server', 'app', 'index'],
  scriptExtensions,
);

/** The file of a backend that creates its app, and what an import of a file beside it looks like. */
const findServer = (project: Project, title: string, creation: RegExp) => {
  const file = serverFiles.find((name) => creation.test(project.read(name) ?? ''));
  if (file === undefined)
    throw new UsageError(
      `No file of this ${title} app matches ${creation.source}: looked in ${serverFiles.join(', ')}.`,
    );
  const text = project.read(file) ?? '';
  const isTypeScript = file.endsWith('ts');
  const isCommonJs = !isTypeScript && /\brequire\(/.test(text) && !/^import /m.test(text);
  const takesTs = /(allowImportingTs|rewriteRelativeImport)Extensions"?:\s*true/.test(
    project.read('tsconfig.json') ?? '',
  );
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/') + 1) : '';
  const extension = isTypeScript ? 'ts' : isCommonJs ? 'mjs' : 'js';
  const specifier = `./vitrine.${isTypeScript && !takesTs ? 'js' : extension}`;
  return {
    file,
    own: `${folder}vitrine.${extension}`,
    importLine: isCommonJs
      ? `const { embed, page } = require('${specifier}');`
      : `import { embed, page } from '${specifier}';`,
  };
};

const backendEdits = (
  project: Project,
  {
    title,
    creation,
    imports,
    handler,
    code,
  }: Record<'title' | 'imports' | 'handler' | 'code', string> & { creation: RegExp },
): Edit[] => {
  const { file, own, importLine } = findServer(project, title, creation);
  const [, app = 'app'] = creation.exec(project.read(file) ?? '') ?? [];
  return [
    create(
      own,
      `import { existsSync } from 'node:fs';
${imports}

${loadVariables}
export const embed = ${handler}({
  portal: portalFromEnv(),
${access}
});

// A page to see that this works. Remove it once your frontend has <EmbeddedReport itemId={1042} />.
export const page = \`${plainPage}\`;
`,
    ),
    insert(file, {
      mark: '/api/embed',
      pattern: creation,
      importLine,
      code: code.replaceAll('app.', `${app}.`),
    }),
  ];
};

/** Every kind, the most particular first. */
export const kinds: readonly ProjectKind[] = [
  {
    title: 'Next.js',
    detectedBy: 'next',
    packages: serverPackages,
    developmentPackages: ['vitrine'],
    address: 'http://localhost:3000/vitrine',
    edits: nextEdits,
  },
  {
    title: 'React Router',
    detectedBy: '@react-router/dev',
    packages: serverPackages,
    developmentPackages: ['vitrine'],
    address: 'http://localhost:5173/vitrine',
    edits: reactRouterEdits,
  },
  {
    title: 'Express',
    detectedBy: 'express',
    packages: ['@vitrine/express'],
    developmentPackages: ['vitrine'],
    address: '/vitrine of your server',
    edits: (project) =>
      backendEdits(project, {
        title: 'Express',
        creation: /^(?:const|let|var) (\w+) = express\(\);?/m,
        imports: "import { portalFromEnv, vitrine } from '@vitrine/express';",
        handler: 'vitrine',
        code: "\napp.use('/api/embed', embed);\napp.get('/vitrine', (_request, response) => void response.send(page));",
      }),
  },
  {
    title: 'Hono',
    detectedBy: 'hono',
    packages: ['@vitrine/server'],
    developmentPackages: ['vitrine'],
    address: '/vitrine of your server',
    edits: (project) =>
      backendEdits(project, {
        title: 'Hono',
        creation: /^(?:const|let|var) (\w+) = new Hono(?:<[^>]*>)?\(\);?/m,
        imports: "import { createFetchHandler, portalFromEnv } from '@vitrine/server';",
        handler: 'createFetchHandler',
        code: "\napp.all('/api/embed/*', (c) => embed(c.req.raw));\napp.get('/vitrine', (c) => c.html(page));",
      }),
  },
  {
    title: 'Vite',
    detectedBy: 'vite',
    packages: ['@vitrine/react', '@tanstack/react-query'],
    developmentPackages: ['@vitrine/vite'],
    address: 'http://localhost:5173/vitrine.html',
    edits: viteEdits,
  },
];

/** Which kind of app it is. Throws when it is none that we know. */
export const detectKind = ({ manifest }: Project): ProjectKind => {
  const installed = { ...manifest.dependencies, ...manifest.devDependencies };
  const kind = kinds.find(({ detectedBy }) => detectedBy in installed);
  if (kind !== undefined) return kind;
  const known = kinds.map(({ title }) => title).join(', ');
  throw new UsageError(
    `This app is none of ${known}: package.json names none of them. The guides show how to add Vitrine by hand.`,
  );
};
