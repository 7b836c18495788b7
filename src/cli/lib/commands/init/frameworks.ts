import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { UsageError } from '../../output/usageError.ts';
import starterFiles from './starterFiles.json' with { type: 'json' };

/** An app on disk. */
export interface Project {
  readonly root: string;
  /** The folder of its package.json: the root, or that of its workspace. */
  readonly home: string;
  /** Every package that the package.json lists, with its range. */
  readonly listed: Readonly<Record<string, string>>;
  readonly isTypeScript: boolean;
  /** The text of a file, without a byte order mark; undefined if there is none. */
  readonly read: (file: string) => string | undefined;
  /** The files that a glob pattern matches, outside of node_modules. */
  readonly match: (pattern: string) => readonly string[];
}

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

/** Reads the app in a folder. Throws if there is none. */
export const openProject = (root: string): Project => {
  const read = (file: string): string | undefined =>
    statSync(join(root, file), { throwIfNoEntry: false })?.isFile()
      ? readFileSync(join(root, file), 'utf8').replace(/^\uFEFF/, '')
      : undefined;
  const home = parentsOf(root).find((folder) => existsSync(join(folder, 'package.json')));
  // An app of an Nx workspace has a project.json, and its packages in the package.json of the workspace.
  if (home === undefined || (home !== root && read('project.json') === undefined))
    throw new UsageError(
      `There is no package.json in ${root}. Run this in the folder of your app, or create an app with: npm create vitrine@latest`,
    );
  const { dependencies, devDependencies, workspaces } = readManifest(join(home, 'package.json'));
  const match = (pattern: string): readonly string[] =>
    globSync(pattern, { cwd: root, exclude: (name) => /^(?:node_modules|dist|\.\w+)$/.test(name) })
      .map((file) => file.replaceAll(sep, '/'))
      .sort();
  const isWorkspace =
    workspaces !== undefined ||
    /^packages:/m.test(read('pnpm-workspace.yaml') ?? '') ||
    match('*/**/project.json').length > 0;
  if (home === root && isWorkspace)
    throw new UsageError('This is the root of a workspace. Run the command in the folder of the app.');
  return {
    root,
    home,
    listed: { ...dependencies, ...devDependencies },
    isTypeScript: read('tsconfig.json') !== undefined,
    read,
    match,
  };
};

/** What `vitrine init` does in an app. */
export interface Plan {
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
export interface Framework {
  readonly title: string;
  /** The packages that it is detected by. */
  readonly signs: readonly string[];
  /** The oldest versions in the peer ranges of our packages. */
  readonly oldest: Readonly<Record<string, string>>;
  readonly packages: readonly string[];
  readonly developmentPackage: 'vitrine' | '@vitrine/vite';
  /** How a file of a server creates its app. */
  readonly creation?: RegExp;
  readonly plan: (project: Project, framework: Framework) => Plan;
}

const extensions = '{ts,js,mts,mjs,cts,cjs}';

const withoutComments = (code = ''): string =>
  code.replaceAll(/(["'`])(?:\\.|(?!\1)[^\\])*\1|\/\/.*|\/\*[^]*?\*\//g, (found) =>
    found.startsWith('/') ? '' : found,
  );

/** The text of a configuration file such as `next.config.ts`, without comments. */
const configOf = ({ match, read }: Project, name: string): string =>
  withoutComments(read(match(`${name}.config.${extensions}`)[0] ?? ''));

/** A path setting of a configuration, without a slash at its end. */
const pathIn = (config: string, name: string): string =>
  new RegExp(`\\b${name}['"]?\\s*[:=]\\s*['"](/[^'"]*?)/?['"]`).exec(config)?.[1] ?? '';

/** The page of a starter in an app below a path. */
const pageBelow = (path: string, page: string): string =>
  path === '' ? page : page.replace('<EmbedProvider>', `<EmbedProvider endpoint="${path}/api/embed">`);

const planNext = (project: Project): Plan => {
  const { match, isTypeScript } = project;
  const basePath = pathIn(configOf(project, 'next'), 'basePath');
  // Next.js ignores src/app and src/pages beside app or pages.
  const isInSource = match('{app,pages}/**').length === 0 && match('src/{app,pages}/**').length > 0;
  const app = `${isInSource ? 'src/' : ''}app`;
  const script = isTypeScript ? 'ts' : 'js';
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

const planReactRouter = (project: Project): Plan => {
  const basename = pathIn(configOf(project, 'react-router'), 'basename');
  const script = project.isTypeScript ? 'ts' : 'js';
  return {
    files: {
      [`app/routes/embed.${script}`]: starterFiles['react-router/app/routes/embed.ts'],
      [`app/routes/vitrine.${script}x`]: pageBelow(
        basename,
        starterFiles['react-router/app/routes/vitrine.tsx'],
      ),
    },
    lines: {
      where: `the list of routes in app/routes.${script}`,
      code: `import { route } from '@react-router/dev/routes';\nroute('api/embed/:route', 'routes/embed.${script}'),\nroute('vitrine', 'routes/vitrine.${script}x'),`,
    },
    page: `${basename}/vitrine`,
  };
};

const planVite = (project: Project): Plan => {
  const [config] = project.match(`vite.config.${extensions}`);
  const [, folder = ''] = /\broot:\s*['"]([^'"]*)['"]/.exec(configOf(project, 'vite')) ?? [];
  const script = `src/vitrine.${project.isTypeScript ? 'ts' : 'js'}x`;
  return {
    files: {
      [posix.join(folder, 'vitrine.html')]: starterFiles['vite-express/index.html'].replace(
        '/src/main.tsx',
        `/${script}`,
      ),
      [posix.join(folder, script)]: starterFiles['vite-express/src/main.tsx'],
      ...(config === undefined && {
        'vite.config.mjs': `import { vitrine } from '@vitrine/vite';\n\nexport default { plugins: [vitrine()] };\n`,
      }),
    },
    ...(config !== undefined && { config }),
    page: '/vitrine.html',
  };
};

/** The files of a server that create its app, and the names that they give it. */
const creationsIn = ({ match, read }: Project, { creation }: Framework) =>
  match(`**/*.${extensions}`).flatMap((file) =>
    [...withoutComments(read(file)).matchAll(creation ?? /$^/g)].map(([, app = 'app']) => ({ file, app })),
  );

/** A plan for a server: a module with the key route, and the lines that mount it, which only its author can place. */
const planServer =
  (text: string, mount: (app: string) => string) =>
  (project: Project, framework: Framework): Plan => {
    const found = creationsIn(project, framework);
    const [{ file, app } = { file: '', app: 'app' }] = found;
    const isTypeScript = file === '' ? project.isTypeScript : /\.[cm]?ts$/.test(file);
    const module = `vitrine.${isTypeScript ? 'ts' : 'mjs'}`;
    // Such a compiler changes the extension, or Node.js runs the file as it is.
    const keepsExtension = /(allowImportingTs|rewriteRelativeImport)Extensions"?:\s*true/.test(
      project.read('tsconfig.json') ?? '',
    );
    const specifier = `'./${keepsExtension ? module : module.replace(/\.ts$/, '.js')}'`;
    const isCommonJs = !isTypeScript && /\brequire\(/.test(project.read(file) ?? '');
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

const react = { react: '18.2', '@tanstack/react-query': '5.60' };
const reactPackages = ['@vitrine/react', '@tanstack/react-query'];
const assigned = String.raw`\b(?:const|let|var) (\w+)(?:\s*:[^=\n]+)?\s*=\s*`;

/** The frameworks, the most specific first. */
export const frameworks: readonly Framework[] = [
  {
    title: 'Next.js',
    signs: ['next'],
    oldest: { next: '14.0', ...react },
    packages: ['@vitrine/server', ...reactPackages],
    developmentPackage: 'vitrine',
    plan: planNext,
  },
  {
    title: 'React Router',
    signs: ['@react-router/dev'],
    oldest: react,
    packages: ['@vitrine/server', ...reactPackages],
    developmentPackage: 'vitrine',
    plan: planReactRouter,
  },
  {
    title: 'Express',
    signs: ['express', '@nestjs/platform-express'],
    oldest: { express: '4.18' },
    packages: ['@vitrine/express'],
    developmentPackage: 'vitrine',
    creation: new RegExp(`${assigned}(?:express\\(|await NestFactory\\.create\\b)`, 'g'),
    plan: planServer(
      starterFiles['vite-express/server/vitrine.ts'],
      (app) => `${app}.use('/api/embed', embed);`,
    ),
  },
  {
    title: 'Hono',
    signs: ['hono'],
    oldest: {},
    packages: ['@vitrine/server'],
    developmentPackage: 'vitrine',
    creation: new RegExp(`${assigned}new Hono\\b`, 'g'),
    plan: planServer(
      starterFiles['hono/server/vitrine.ts'],
      (app) => `${app}.all('/api/embed/*', (c) => embed(c.req.raw));`,
    ),
  },
  {
    title: 'Vite',
    signs: ['vite'],
    oldest: { vite: '6.0', ...react },
    packages: reactPackages,
    developmentPackage: '@vitrine/vite',
    plan: planVite,
  },
];

/** Whether a plain range allows only versions before one; a tag or a workspace may be any version. */
const isOlder = (range: string, oldest: string): boolean => {
  const [, sign, major, minor] = /^([~^v=]?)(\d+)(?:\.(\d+))?(?:\.[\w.-]+)?$/.exec(range) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  if (major === undefined || Number(major) !== oldestMajor) return Number(major) < oldestMajor;
  return sign !== '^' && Number(minor) < oldestMinor;
};

/** Detects the framework of an app. Throws if there is none, or if the app cannot have Vitrine. */
export const detectFramework = (project: Project): Framework => {
  const { listed } = project;
  const hasVite = 'vite' in listed && project.match(`vite.config.${extensions}`).length > 0;
  // An app of Vite may list a server that it does not create.
  const framework = frameworks.find(
    (one) =>
      one.signs.some((sign) => sign in listed) &&
      !(hasVite && one.creation !== undefined && creationsIn(project, one).length === 0),
  );
  if (framework === undefined)
    throw new UsageError(
      `This app does not use ${frameworks.map(({ title }) => title).join(', ')}: package.json lists none of them. The guides show how to add Vitrine by hand.`,
    );
  if ('react' in framework.oldest && !('react' in listed))
    throw new UsageError(`This ${framework.title} app does not use React: package.json does not list react.`);
  for (const [name, oldest] of Object.entries(framework.oldest))
    if (isOlder(listed[name] ?? '', oldest))
      throw new UsageError(
        `Vitrine needs ${name} ${oldest} or newer; package.json has ${listed[name]}. Install it first, such as ${name}@^${oldest}.0, and run vitrine init again.`,
      );
  return framework;
};
