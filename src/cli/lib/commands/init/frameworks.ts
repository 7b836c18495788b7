import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { parseJson } from '../../input/parseJson.ts';
import { UsageError } from '../../output/usageError.ts';
import { readVersion } from '../../program/readVersion.ts';
import starterFiles from './starterFiles.json' with { type: 'json' };

/** A folder and those above it. */
export const parentsOf = (folder: string): readonly string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...parentsOf(dirname(folder))];

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
  const hasList = /"(?:dependencies|devDependencies)"/.test(read('package.json') ?? '');
  const nx = parentsOf(root).find((folder) => existsSync(join(folder, 'nx.json')));
  /** The folder of the package.json that lists its packages: for an app of Nx, that of the workspace. */
  const home = hasList || nx === undefined ? root : nx;
  const file = join(home, 'package.json');
  if (!existsSync(file))
    throw new UsageError(
      `There is no package.json in ${home}. Run this in the folder of your app, or create an app with: npm create vitrine@latest`,
    );
  const { dependencies, devDependencies, workspaces } = Object(parseJson(readFileSync(file, 'utf8'), file));
  const hasPackages = /^packages:/m.test(read('pnpm-workspace.yaml') ?? '');
  if (home === root && (workspaces || hasPackages || match('*/**/project.json').length > 0))
    throw new UsageError('This is the root of a workspace. Run the command in the folder of the app.');
  /** Every package that the package.json lists, with its range. */
  const listed: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };
  const script = read('tsconfig.json') === undefined ? ('js' as const) : ('ts' as const);
  return { root, home, listed, script, read, match };
};

/** What `vitrine init` adds to an app. */
interface Additions {
  /** New files with their texts. */
  readonly files: Readonly<Record<string, string>>;
  /** Configuration of Vite, which gets the plugin. */
  readonly config?: string;
  /** Lines for the user to add, and where. */
  readonly lines?: { readonly where: string; readonly code: string };
  /** Path of the page with the report. */
  readonly page?: string;
}

/** Packages with the oldest version of each, as in the peer ranges of our packages. */
export type Packages = Readonly<Record<string, string>>;

/** A framework that an app may use. */
interface Framework {
  readonly title: string;
  /** The packages that it is detected by. */
  readonly needs: Packages;
  readonly adds: Packages;
  /** Undefined if the app only lists the framework. */
  readonly add: (project: Project) => Additions | undefined;
}

/** The framework of an app, and what is added to the app. */
export type Plan = Framework & Additions;

const extensions = '{ts,js,mts,mjs,cts,cjs}';

/** A text in the configuration of a framework, without a slash at its end; `<name>` for one that only its code knows. */
const settingOf = ({ match, read }: Project, name: string, setting: string): string => {
  const [file = ''] = match(`${name}.config.${extensions}`);
  const code = read(file) ?? '';
  const place = `(?:^|[{,])\\s*['"]?${setting}['"]?\\s*(?=[:,}])|\\.${setting}\\s*=(?!=)`;
  const found = new RegExp(`(?:${place})[:\\s]*([^,};\\n]*)`, 'm').exec(code);
  if (found === null) return '';
  const value = found[1]?.trim() || setting;
  const constant =
    /^\w+$/.test(value) && new RegExp(`^\\s*(?:export )?const ${value}\\b.*? = ([^;\\n]*)`, 'm');
  const literal = constant ? constant.exec(code)?.[1] : value;
  return /^['"`]([^'"`$]*?)\/?['"`]\s*(?:as const|\/[/*].*)?$/.exec(literal ?? '')?.[1] ?? `<${setting}>`;
};

/** The page of a starter in an app below a path. */
const pageBelow = (path: string, page: string): string =>
  path === '' ? page : page.replace('<EmbedProvider>', `<EmbedProvider endpoint="${path}/api/embed">`);

const addToNext = (project: Project): Additions => {
  const { match, script } = project;
  const basePath = settingOf(project, 'next', 'basePath');
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

const addRoutes = (project: Project): Additions => {
  const { script, match, read } = project;
  const [config = ''] = match(`react-router.config.${extensions}`);
  if (/^\s*ssr: false\b/m.test(read(config) ?? ''))
    throw new UsageError(
      `Nothing was changed: ${config} has ssr: false, so this app has no server that could ask for keys. Mount the key route on the server that serves it, and show <EmbeddedReport> in a route: https://github.com/vitrine-embed/vitrine/blob/main/docs/guides/start.md`,
    );
  const basename = settingOf(project, 'react-router', 'basename');
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
  const [config = 'vite.config.js'] = project.match(`vite.config.${extensions}`);
  const isHere = /\broot: (?:__dirname|import\.meta\.dirname|process\.cwd\(\))/.test(
    project.read(config) ?? '',
  );
  const root = isHere ? '' : settingOf(project, 'vite', 'root');
  if (root === '<root>')
    throw new UsageError(
      `Nothing was changed: the value of root in ${config} is code that init does not read. Write it as a text, such as root: 'web', and run vitrine init again.`,
    );
  const script = `src/vitrine.${project.script}x`;
  const page = starterFiles['vite-express/index.html'].replace('/src/main.tsx', `/${script}`);
  return {
    files: {
      [posix.join(root, 'vitrine.html')]: page,
      [posix.join(root, script)]: starterFiles['vite-express/src/main.tsx'],
    },
    config,
    page: '/vitrine.html',
  };
};

/** For a server: a module with the key route, and the lines that mount it, which only its author can place. */
const addToServer =
  (creation: RegExp, starter: 'hono' | 'vite-express', mount: string): Framework['add'] =>
  (project) => {
    const { match, read, script, listed } = project;
    const outsideComments = new RegExp(`^[^/*\\n]*${creation.source}`, 'm');
    const servers = match(`**/*.${extensions}`).filter((file) => outsideComments.test(read(file) ?? ''));
    const [server = `.${script}`] = servers;
    // An app of Vite may list a server that it does not create.
    if (servers.length === 0 && 'vite' in listed) return undefined;
    const code = read(server) ?? '';
    const isTypeScript = /\.[cm]?ts$/.test(server);
    const module = `vitrine.${isTypeScript ? 'ts' : 'mjs'}`;
    // As the file itself writes its imports.
    const specifier = isTypeScript && !/['"]\..*\.ts['"]/.test(code) ? './vitrine.js' : `./${module}`;
    const isCommonJs = !isTypeScript && /\brequire\(/.test(code);
    // Hono puts it before each path.
    const [, base = ''] = /\bapp = new Hono\b.*\.basePath\(['"]([^'"]+)['"]\)/.exec(code) ?? [];
    return {
      files: { [posix.join(posix.dirname(server), module)]: starterFiles[`${starter}/server/vitrine.ts`] },
      lines: {
        where: `${servers.join(' or ') || 'the file that creates your server'}, to the app that listens, below your session and sign-in, and above what answers 404`,
        code: `${isCommonJs ? `const { embed } = require('${specifier}');` : `import { embed } from '${specifier}';`}\n${mount.replace(`'${base}/`, "'/")}`,
      },
    };
  };

const react = { react: '18.2' };
const server = { '@vitrine/server': readVersion() };
const client = { '@vitrine/react': readVersion(), '@tanstack/react-query': '5.60' };
const both = { ...server, ...client };
const useRoute = "app.use('/api/embed', embed);";
const addToExpress = addToServer(/= *(?:express\(|await NestFactory\.create\b)/, 'vite-express', useRoute);
const routeAll = "app.all('/api/embed/*', (c) => embed(c.req.raw));";
const addToHono = addToServer(/= *new Hono\b/, 'hono', routeAll);
const express = { title: 'Express', adds: { '@vitrine/express': readVersion() }, add: addToExpress };

/** In the order of detection: an app may have several of them. */
export const frameworks: readonly Framework[] = [
  { title: 'Next.js', needs: { next: '14.0', ...react }, adds: both, add: addToNext },
  { title: 'React Router', needs: { '@react-router/dev': '7.0', ...react }, adds: both, add: addRoutes },
  { ...express, needs: { express: '4.18' } },
  { ...express, needs: { '@nestjs/platform-express': '9.0' } },
  { title: 'Hono', needs: { hono: '3.0' }, adds: server, add: addToHono },
  { title: 'Vite', needs: { vite: '6.0', ...react }, adds: client, add: addToVite },
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
  for (const framework of frameworks) {
    const { needs, adds, add } = framework;
    const additions = Object.keys(needs).every((name) => name in listed) ? add(project) : undefined;
    if (additions === undefined) continue;
    for (const [name, oldest] of Object.entries({ ...needs, ...adds }))
      if (isOlder(listed[name] ?? '', oldest))
        throw new UsageError(
          `Vitrine needs ${name} ${oldest} or newer; package.json has ${listed[name]}. Install it first, such as ${name}@^${oldest}.0, and run vitrine init again.`,
        );
    return { ...framework, ...additions };
  }
  throw new UsageError(
    'package.json lists neither Express, Nest or Hono, nor React with Next.js, React Router or Vite. The guides show how to add Vitrine by hand: https://github.com/vitrine-embed/vitrine/tree/main/docs/guides',
  );
};
