import { UsageError } from '../../output/usageError.ts';
import { create, type Edit, insert } from './edits.ts';
import type { Project } from './project.ts';
import { scriptExtensions, withExtensions } from './scriptFiles.ts';
import { access, loadVariables, plainPage } from './snippets.ts';

const serverFiles = withExtensions(
  ['src/index', 'src/server', 'src/app', 'server/index', 'server', 'app', 'index'],
  scriptExtensions,
);

const findServerFile = (project: Project, creation: RegExp): string | undefined =>
  serverFiles.find((name) => creation.test(project.read(name) ?? ''));

/** Where the page of a backend is to be seen: at the port that its file names, if it names one. */
export const backendAddress = (project: Project, creation: RegExp): string => {
  const text = project.read(findServerFile(project, creation) ?? '') ?? '';
  const [, port] = /(?:\blisten\(|\bport\b\s*[:=])[^\d\n;]*(\d{2,5})\b/i.exec(text) ?? [];
  return port === undefined ? '/vitrine of your server' : `http://localhost:${port}/vitrine`;
};

/** The file of a backend that creates its app, and what an import of a file beside it looks like. */
const findServer = (project: Project, title: string, creation: RegExp) => {
  const file = findServerFile(project, creation);
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

/** Adds the key route and a page to a backend, in a file beside the one that creates its app. */
export const backendEdits = (
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
