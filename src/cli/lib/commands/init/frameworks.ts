import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { UsageError } from '../../output/usageError.ts';
import starterFiles from './starterFiles.json' with { type: 'json' };

/** A folder and those above it. */
export const parentsOf = (folder: string): readonly string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...parentsOf(dirname(folder))];

const readManifest = (file: string) => {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')));
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${Object(cause).message}. Correct it first.`, { cause });
  }
};

/** An app on disk. */
export type Project = ReturnType<typeof openProject>;

/** Reads the app in a folder. Throws if there is none. */
export const openProject = (root: string) => {
  /** The text of a file, without a byte order mark; undefined if there is none. */
  const read = (file: string): string | undefined =>
    statSync(join(root, file), { throwIfNoEntry: false })?.isFile()
      ? readFileSync(join(root, file), 'utf8').replace(/^\uFEFF/, '')
      : undefined;
  /** The files that a glob pattern matches, outside of node_modules. */
  const match = (pattern: string): readonly string[] =>
    globSync(pattern, { cwd: root, exclude: (name) => /^(?:node_modules|dist|\.\w+)$/.test(name) })
      .map((file) => file.replaceAll(sep, '/'))
      .sort();
  /** The folder of its package.json: the root, or that of its workspace. */
  const home = parentsOf(root).find((folder) => existsSync(join(folder, 'package.json')));
  // An app of an Nx workspace has a project.json, and its packages in the package.json of the workspace.
  if (home === undefined || (home !== root && read('project.json') === undefined))
    throw new UsageError(
      `There is no package.json in ${root}. Run this in the folder of your app, or create an app with: npm create vitrine@latest`,
    );
  const { dependencies, devDependencies, workspaces } = readManifest(join(home, 'package.json'));
  const hasPackages = /^packages:/m.test(read('pnpm-workspace.yaml') ?? '');
  if (home === root && (workspaces || hasPackages || match('*/**/project.json').length > 0))
    throw new UsageError('This is the root of a workspace. Run the command in the folder of the app.');
  /** Every package that the package.json lists, with its range. */
  const listed: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };
  const script = read('tsconfig.json') === undefined ? ('js' as const) : ('ts' as const);
  return { root, home, listed, script, read, match };
};

/** What `vitrine init` does in an app. */
interface Additions {
  /** New files with their texts. */
  readonly files: Readonly<Record<string, string>>;
  /** Configuration of Vite, which gets the plugin. */
  readonly config?: string;
  /** Lines for the user to add, and where. */
  readonly lines?: { readonly where: string; readonly code: string };
  /** Path of the page with the report; empty without one. */
  readonly page: string;
}

/** A framework that an app may use. */
interface Framework {
  readonly title: string;
  /** The packages that it is detected by, in the oldest versions of the peer ranges of our packages. */
  readonly signs: Readonly<Record<string, string>>;
  readonly packages: readonly string[];
  /** Undefined if the app only lists the framework. */
  readonly add: (project: Project) => Additions | undefined;
}

/** The framework of an app, and what is added to the app. */
export type Plan = Framework & Additions;

const extensions = '{ts,js,mts,mjs,cts,cjs}';

const withoutComments = (code = ''): string =>
  code.replaceAll(/(["'`])(?:\\.|(?!\1)[^\\])*\1|\/\/.*|\/\*[^]*?\*\//g, (found) =>
    found.startsWith('/') ? '' : found,
  );

/** The configuration of a framework: its file, and a text in it without a slash at its end. */
const configOf = ({ match, read }: Project, name: string) => {
  const [file] = match(`${name}.config.${extensions}`);
  const code = withoutComments(read(file ?? ''));
  const textOf = (setting: string): string =>
    new RegExp(`\\b${setting}['"]?\\s*[:=]\\s*['"]([^'"]*?)/?['"]`).exec(code)?.[1] ?? '';
  return { file, textOf };
};

/** The page of a starter in an app below a path. */
const pageBelow = (path: string, page: string): string =>
  path === '' ? page : page.replace('<EmbedProvider>', `<EmbedProvider endpoint="${path}/api/embed">`);

const addToNext = (project: Project): Additions => {
  const { match, script } = project;
  const basePath = configOf(project, 'next').textOf('basePath');
  // Next.js ignores src/app and src/pages beside app or pages.
  const isInSource = match('{app,pages}/**').length === 0 && match('src/{app,pages}/**').length > 0;
  const app = isInSource ? 'src/app' : 'app';
  return {
    files: {
      [`${app}/api/embed/[route]/route.${script}`]: starterFiles['next/app/api/embed/[route]/route.ts'],
      [`${app}/vitrine/page.${script}x`]: pageBelow(basePath, starterFiles['next/app/vitrine/page.tsx']),
      ...(match(`${app}/{,vitrine/}layout.*`).length === 0 && {
        [`${app}/vitrine/layout.${script}x`]: starterFiles['next/app/layout.tsx'],
      }),
    },
    page: `${basePath}/vitrine`,
  };
};

const addToReactRouter = (project: Project): Additions => {
  const { script } = project;
  const basename = configOf(project, 'react-router').textOf('basename');
  const page = pageBelow(basename, starterFiles['react-router/app/routes/vitrine.tsx']);
  return {
    files: {
      [`app/routes/embed.${script}`]: starterFiles['react-router/app/routes/embed.ts'],
      [`app/routes/vitrine.${script}x`]: page,
    },
    lines: {
      where: `the list of routes in app/routes.${script}`,
      code: `import { route } from '@react-router/dev/routes';\nroute('api/embed/:route', 'routes/embed.${script}'),\nroute('vitrine', 'routes/vitrine.${script}x'),`,
    },
    page: `${basename}/vitrine`,
  };
};

const addToVite = (project: Project): Additions => {
  const { file: config = 'vite.config.mjs', textOf } = configOf(project, 'vite');
  const script = `src/vitrine.${project.script}x`;
  const page = starterFiles['vite-express/index.html'].replace('/src/main.tsx', `/${script}`);
  return {
    files: {
      [posix.join(textOf('root'), 'vitrine.html')]: page,
      [posix.join(textOf('root'), script)]: starterFiles['vite-express/src/main.tsx'],
    },
    config,
    page: '/vitrine.html',
  };
};

/** For a server: a module with the key route, and the lines that mount it, which only its author can place. */
const addToServer =
  (creation: RegExp, text: string, mount: (app: string) => string): Framework['add'] =>
  (project) => {
    const { match, read, listed } = project;
    const found = match(`**/*.${extensions}`).flatMap((file) =>
      [...withoutComments(read(file)).matchAll(creation)].map(([, app = 'app']) => ({ file, app })),
    );
    // An app of Vite may list a server that it does not create.
    if (found.length === 0 && 'vite' in listed && configOf(project, 'vite').file !== undefined)
      return undefined;
    const [{ file, app } = { file: '', app: 'app' }] = found;
    const isTypeScript = file === '' ? project.script === 'ts' : /\.[cm]?ts$/.test(file);
    const module = `vitrine.${isTypeScript ? 'ts' : 'mjs'}`;
    // Such a compiler changes the extension, or Node.js runs the file as it is.
    const keepsExtension = /(allowImportingTs|rewriteRelativeImport)Extensions"?:\s*true/.test(
      read('tsconfig.json') ?? '',
    );
    const specifier = `'./${keepsExtension ? module : module.replace(/\.ts$/, '.js')}'`;
    const isCommonJs = !isTypeScript && /\brequire\(/.test(read(file) ?? '');
    const files = [...new Set(found.map((one) => one.file))].join(', ');
    const where = files.includes(', ') ? `the one of ${files} that listens, and its app` : file;
    return {
      files: { [posix.join(posix.dirname(file), module)]: text },
      lines: {
        where: `${where || 'the file that creates your server'}, below your session and sign-in, and above what answers 404`,
        code: `${isCommonJs ? `const { embed } = require(${specifier});` : `import { embed } from ${specifier};`}\n${mount(found.length > 1 ? 'app' : app)}`,
      },
      page: '',
    };
  };

/** The oldest versions in the peer ranges of our packages for React. */
export const oldestReact = { react: '18.2', '@tanstack/react-query': '5.60' };
const reactPackages = ['@vitrine/react', '@tanstack/react-query'];
const fetchPackages = ['@vitrine/server', ...reactPackages];
const assigned = String.raw`\b(?:const|let|var) (\w+)(?:\s*:[^=\n]+)?\s*=\s*`;
const addToExpress = addToServer(
  new RegExp(`${assigned}(?:express\\(|await NestFactory\\.create\\b)`, 'g'),
  starterFiles['vite-express/server/vitrine.ts'],
  (app) => `${app}.use('/api/embed', embed);`,
);
const addToHono = addToServer(
  new RegExp(`${assigned}new Hono\\b`, 'g'),
  starterFiles['hono/server/vitrine.ts'],
  (app) => `${app}.all('/api/embed/*', (c) => embed(c.req.raw));`,
);

const express = { express: '4.18', '@nestjs/platform-express': '9.0' };

/** In the order of detection: an app may have several of them. */
export const frameworks: readonly Framework[] = [
  { title: 'Next.js', signs: { next: '14.0' }, packages: fetchPackages, add: addToNext },
  {
    title: 'React Router',
    signs: { '@react-router/dev': '7.0' },
    packages: fetchPackages,
    add: addToReactRouter,
  },
  { title: 'Express', signs: express, packages: ['@vitrine/express'], add: addToExpress },
  { title: 'Hono', signs: { hono: '3.0' }, packages: ['@vitrine/server'], add: addToHono },
  { title: 'Vite', signs: { vite: '6.0' }, packages: reactPackages, add: addToVite },
];

/** Whether a plain range allows only versions before one; a tag or a workspace may be any version. */
const isOlder = (range: string, oldest: string): boolean => {
  const [, sign, major, minor] = /^([~^v=]?)(\d+)(?:\.(\d+))?(?:\.[\w.-]+)?$/.exec(range) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  if (major === undefined || Number(major) !== oldestMajor) return Number(major) < oldestMajor;
  return sign !== '^' && Number(minor) < oldestMinor;
};

/** Finds the framework of an app, and what to add. Throws if there is none, or if the app cannot have Vitrine. */
export const planApp = (project: Project): Plan => {
  const { listed } = project;
  const plan = frameworks
    .filter(({ signs }) => Object.keys(signs).some((sign) => sign in listed))
    .flatMap((framework) => {
      const added = framework.add(project);
      return added === undefined ? [] : [{ ...framework, ...added }];
    })
    .at(0);
  if (plan === undefined)
    throw new UsageError(
      `This app does not use ${frameworks.map(({ title }) => title).join(', ')}: package.json lists none of them. The guides show how to add Vitrine by hand.`,
    );
  const usesReact = plan.packages.includes('@vitrine/react');
  if (usesReact && !('react' in listed))
    throw new UsageError(`This ${plan.title} app does not use React: package.json does not list react.`);
  for (const [name, oldest] of Object.entries({ ...plan.signs, ...(usesReact && oldestReact) }))
    if (isOlder(listed[name] ?? '', oldest))
      throw new UsageError(
        `Vitrine needs ${name} ${oldest} or newer; package.json has ${listed[name]}. Install it first, such as ${name}@^${oldest}.0, and run vitrine init again.`,
      );
  return plan;
};
