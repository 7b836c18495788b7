import { UsageError } from '../../output/usageError.ts';
import { portOf, startScript } from './devAddress.ts';
import { create, type Edit, insert } from './edits.ts';
import type { Project } from './project.ts';
import { scriptExtensions, withExtensions } from './scriptFiles.ts';
import { plainPage } from './snippets.ts';
import { blankComments } from './sourcePlaces.ts';
import starterFiles from './starterFiles.json' with { type: 'json' };

const serverNames = ['src/index', 'src/server', 'src/app', 'server/index', 'server', 'app', 'index'];

/** Finds the statement that creates the app, outside of comments. */
const creationOf = (text = '', creation: RegExp): RegExpMatchArray | undefined =>
  [...blankComments(text).matchAll(creation)][0];

/** Files that may create the app: those in the manifest, and common names. */
const candidatesOf = ({ manifest: { main = '', scripts = {} } }: Project): readonly string[] => [
  ...[main, ...Object.values(scripts)]
    .flatMap((text) => text.match(/[\w./-]+\.[cm]?[jt]s\b/g) ?? [])
    .map((file) => file.replace(/^\.\//, '')),
  ...withExtensions(serverNames, scriptExtensions),
];

/** Finds the file that creates the app. */
const findServerFile = (project: Project, creation: RegExp): string | undefined =>
  candidatesOf(project).find((name) => creationOf(project.read(name), creation) !== undefined);

/** Whether a file imports the package of a server, in any form. */
export const importsServer = (project: Project, name: string): boolean =>
  candidatesOf(project).some((file) =>
    new RegExp(`['"]${name}['"]`).test(blankComments(project.read(file) ?? '')),
  );

/** URL of a backend's page, with the port in its file, if any. */
export const backendAddress = (project: Project, creation: RegExp): string => {
  const text = project.read(findServerFile(project, creation) ?? '') ?? '';
  const [, named] = /(?:\blisten\(|\bport\b\s*[:=])[^\d\n;]*(\d{2,5})\b/i.exec(text) ?? [];
  const port = portOf(startScript(project, true).command) ?? named;
  return port === undefined ? '/vitrine of your server' : `http://localhost:${port}/vitrine`;
};

/** How a backend creates its app: a pattern, and an example for messages. */
interface Creation {
  readonly creation: RegExp;
  readonly example: string;
}

/** The file that creates a backend's app, and the form of its imports. */
const findServer = (project: Project, title: string, { creation, example }: Creation) => {
  const file = findServerFile(project, creation);
  if (file === undefined)
    throw new UsageError(
      `Nothing was changed: no file of this ${title} app has a line like "${example}". vitrine init checked the files that package.json names, and ${serverNames.join(', ')}. Use that form in one of them, or add Vitrine manually as the guides show.`,
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

/** Matches existing uses of our paths or import names. */
const taken = new RegExp(
  [
    /['"`]\/(?:api\/embed|vitrine)(?![\w-])/,
    /^(?:export )?(?:const|let|var|function|class|import)\s+(?:embed|page)\b/,
    /^(?:const|let|var|import)\s[\w,\s]*\{[^}]*\b(?:embed|page)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
);

/** Adds the key route of a starter and a page to a backend, in a file next to the one that creates its app. */
export const backendEdits = (
  project: Project,
  backend: Creation &
    Readonly<Record<'title' | 'code', string>> & { readonly starter: 'vite-express' | 'hono' },
): Edit[] => {
  const { title, creation, starter, code } = backend;
  const { file, own, importLine } = findServer(project, title, backend);
  const [, app = 'app'] = creationOf(project.read(file), creation) ?? [];
  return [
    create(
      own,
      `${starterFiles[`${starter}/server/vitrine.ts`]}
// A page to see that this works. Remove it once your frontend has <EmbeddedReport itemId={1042} />.
export const page = \`${plainPage}\`;
`,
    ),
    insert(file, {
      done: /@vitrine\/|\.\/vitrine\.\w+['"]/,
      taken,
      pattern: creation,
      importLine,
      code: code.replaceAll('app.', `${app}.`),
    }),
  ];
};
