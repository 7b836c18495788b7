import { UsageError } from '../../output/usageError.ts';
import type { Project } from './project.ts';
import starterFiles from './starterFiles.json' with { type: 'json' };

/** What `vitrine init` does in an app. */
export interface Plan {
  /** New files with their texts. */
  readonly files: Readonly<Record<string, string>>;
  /** Configuration of Vite, which gets the plugin. */
  readonly config?: string;
  /** Lines for the user to add, and where. */
  readonly lines?: { readonly where: string; readonly code: string };
  /** Path of the page with the report. */
  readonly page: string;
}

/** A kind of app. */
export interface Kind {
  readonly title: string;
  /** The package that identifies it. */
  readonly detectedBy: string;
  readonly packages: readonly string[];
  readonly developmentPackages: readonly string[];
  readonly plan: (project: Project) => Plan;
}

const extensions = '{ts,js,mts,mjs,cts,cjs}';
const scriptOf = ({ isTypeScript }: Project): 'ts' | 'js' => (isTypeScript ? 'ts' : 'js');

/** A script of a starter in the language of the app: as it is, or without its types. */
const inLanguageOf = ({ isTypeScript }: Project, code: string): string =>
  isTypeScript ? code : code.replace(/^import type .*\n\n/, '').replaceAll(/: \{ \w+: \w+ \}/g, '');

const withoutComments = (code = ''): string =>
  code.replaceAll(/(["'`])(?:\\.|(?!\1)[^\\])*\1|\/\/.*|\/\*[^]*?\*\//g, (found) =>
    found.startsWith('/') ? '' : found,
  );

/** The text of a configuration file. Throws if it has a setting for static output: the key route needs a server. */
const readConfig = (project: Project, name: string, isStatic: RegExp): string => {
  const [file = ''] = project.match(`${name}.config.${extensions}`);
  const text = withoutComments(project.read(file));
  const [found] = isStatic.exec(text) ?? [];
  if (found === undefined) return text;
  throw new UsageError(
    `${file} has ${found}, so this app has no server for the key route. Add the route to your backend, as the guides show, and <EmbeddedReport> to this app.`,
  );
};

/** A path setting of a configuration, without a slash at its end. */
const pathIn = (config: string, name: string): string =>
  new RegExp(`\\b${name}['"]?\\s*[:=]\\s*['"](/[^'"]*?)/?['"]`).exec(config)?.[1] ?? '';

const planNext = (project: Project): Plan => {
  const config = readConfig(project, 'next', /\boutput['"]?:\s*['"]export['"]/);
  const basePath = pathIn(config, 'basePath');
  // Next.js ignores src/app and src/pages beside app or pages.
  const isInSource =
    project.match('{app,pages}/**').length === 0 && project.match('src/{app,pages}/**').length > 0;
  const app = `${isInSource ? 'src/' : ''}app`;
  const script = scriptOf(project);
  const page = starterFiles['next/app/vitrine/page.tsx'];
  const [other] = project.match(
    `${app}/{,(*)/}vitrine/{page,route}.*`,
    `${app}/api/embed/**/route.*`,
    `${app.replace('app', 'pages')}/{vitrine,vitrine/index,api/embed,api/embed/**/*}.*`,
  );
  return {
    files: {
      ...(other !== undefined && { [other]: '' }),
      [`${app}/api/embed/[route]/route.${script}`]: starterFiles['next/app/api/embed/[route]/route.ts'],
      [`${app}/vitrine/page.${script}x`]:
        basePath === ''
          ? page
          : page.replace('<EmbedProvider>', `<EmbedProvider endpoint="${basePath}/api/embed">`),
      ...(project.match(`${app}/{,vitrine/}layout.*`).length === 0 && {
        [`${app}/vitrine/layout.${script}x`]: inLanguageOf(project, starterFiles['next/app/layout.tsx']),
      }),
    },
    page: `${basePath}/vitrine`,
  };
};

const planReactRouter = (project: Project): Plan => {
  const config = readConfig(project, 'react-router', /\bssr['"]?:\s*false\b/);
  const basename = pathIn(config, 'basename');
  const script = scriptOf(project);
  const page = starterFiles['react-router/app/routes/vitrine.tsx'];
  return {
    files: {
      [`app/routes/embed.${script}`]: inLanguageOf(project, starterFiles['react-router/app/routes/embed.ts']),
      [`app/routes/vitrine.${script}x`]:
        basename === ''
          ? page
          : page.replace('<EmbedProvider>', `<EmbedProvider endpoint="${basename}/api/embed">`),
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
  const text = withoutComments(project.read(config ?? ''));
  const [, folder = ''] = /\broot:\s*['"](?:\.?\/)?([^'"]*?)\/?['"]/.exec(text) ?? [];
  const at = folder === '' ? '' : `${folder}/`;
  const script = scriptOf(project);
  return {
    files: {
      [`${at}vitrine.html`]: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>A report</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/vitrine.${script}x"></script>
  </body>
</html>
`,
      [`${at}src/vitrine.${script}x`]: starterFiles['vite-express/src/main.tsx'],
      ...(config === undefined && {
        'vite.config.mjs': `import { vitrine } from '@vitrine/vite';\n\nexport default { plugins: [vitrine()] };\n`,
      }),
    },
    ...(config !== undefined && { config }),
    page: '/vitrine.html',
  };
};

/** A plan for a server: a module with the key route, and the lines that mount it, which only its author can place. */
const planServer =
  (starter: 'vite-express' | 'hono', creation: RegExp, mount: (app: string) => string) =>
  (project: Project): Plan => {
    const found = project
      .match(`**/*.${extensions}`)
      .flatMap((file) =>
        [...withoutComments(project.read(file)).matchAll(creation)].map(([, app = 'app']) => ({ file, app })),
      );
    const [first, ...others] = found;
    const file = first?.file ?? '';
    const text = project.read(file) ?? '';
    const isCommonJs = !/\.[cm]?ts$/.test(file) && /\brequire\(/.test(text) && !/^import /m.test(text);
    const extension = /\.[cm]?ts$/.test(file) ? 'ts' : isCommonJs ? 'mjs' : scriptOf(project);
    const takesTs = /(allowImportingTs|rewriteRelativeImport)Extensions"?:\s*true/.test(
      project.read('tsconfig.json') ?? '',
    );
    const specifier = `'./vitrine.${extension === 'ts' && !takesTs ? 'js' : extension}'`;
    const where =
      first === undefined
        ? 'the file that creates your server'
        : others.length === 0
          ? file
          : `the one of ${[...new Set(found.map((one) => one.file))].join(', ')} that listens, and its app`;
    return {
      files: {
        [`${file.replace(/[^/]*$/, '')}vitrine.${extension}`]: starterFiles[`${starter}/server/vitrine.ts`],
      },
      lines: {
        where: `${where}, below your session and sign-in`,
        code: `${isCommonJs ? `const { embed } = require(${specifier});` : `import { embed } from ${specifier};`}\n${mount(others.length === 0 ? (first?.app ?? 'app') : 'app')}`,
      },
      page: '',
    };
  };

const react = ['@vitrine/react', '@tanstack/react-query'];
const name = String.raw`\b(?:const|let|var) (\w+)(?:\s*:[^=\n]+)?\s*=\s*`;

/** All kinds, most specific first. */
const kinds: readonly Kind[] = [
  {
    title: 'Next.js',
    detectedBy: 'next',
    packages: ['@vitrine/server', ...react],
    developmentPackages: ['vitrine'],
    plan: planNext,
  },
  {
    title: 'React Router',
    detectedBy: '@react-router/dev',
    packages: ['@vitrine/server', ...react],
    developmentPackages: ['vitrine'],
    plan: planReactRouter,
  },
  {
    title: 'Express',
    detectedBy: 'express',
    packages: ['@vitrine/express'],
    developmentPackages: ['vitrine'],
    plan: planServer(
      'vite-express',
      new RegExp(`${name}express\\(`, 'g'),
      (app) => `${app}.use('/api/embed', embed);`,
    ),
  },
  {
    title: 'Hono',
    detectedBy: 'hono',
    packages: ['@vitrine/server'],
    developmentPackages: ['vitrine'],
    plan: planServer(
      'hono',
      new RegExp(`${name}new Hono\\b`, 'g'),
      (app) => `${app}.all('/api/embed/*', (c) => embed(c.req.raw));`,
    ),
  },
  {
    title: 'Vite',
    detectedBy: 'vite',
    packages: react,
    developmentPackages: ['@vitrine/vite'],
    plan: planVite,
  },
];

/** The oldest versions that our packages and generated files support: their peer ranges. */
const oldest: Readonly<Record<string, readonly [major: number, minor: number]>> = {
  next: [14, 0],
  express: [4, 18],
  vite: [6, 0],
  react: [18, 0],
  '@tanstack/react-query': [5, 60],
};

/** Throws if a plain range allows only versions that are too old; a tag or a workspace may be any version. */
const requireVersions = ({ detectedBy, packages }: Kind, { listed }: Project): void => {
  for (const [dependency, [major, minor]] of Object.entries(oldest)) {
    const range = listed[dependency] ?? '';
    const isUsed =
      dependency === detectedBy ||
      packages.some((one) => one.includes('react') && dependency.includes('react'));
    const [, sign = '', one, two] = /^([~^v=]?)(\d+)(?:\.(\d+|x))?(?:\.[\w.-]+)?$/.exec(range) ?? [];
    if (!isUsed || one === undefined) continue;
    const newestMinor =
      sign === '^' || two === undefined || two === 'x' ? Number.POSITIVE_INFINITY : Number(two);
    if (Number(one) < major || (Number(one) === major && newestMinor < minor))
      throw new UsageError(
        `Vitrine needs ${dependency} ${major}.${minor} or newer; package.json has ${range}. Update it first.`,
      );
  }
};

/** Detects the kind of an app. Throws if it is unknown, or cannot have Vitrine. */
export const detectKind = (project: Project): Kind => {
  const { listed } = project;
  const isVite = 'vite' in listed && project.match(`vite.config.${extensions}`).length > 0;
  const importsIt = (server: string) =>
    project
      .match(`**/*.${extensions}`)
      .some((file) => new RegExp(`['"]${server}['"]`).test(withoutComments(project.read(file))));
  const kind = kinds.find(
    ({ title, detectedBy }) =>
      detectedBy in listed && (!isVite || !['Express', 'Hono'].includes(title) || importsIt(detectedBy)),
  );
  if (kind === undefined)
    throw new UsageError(
      project.manifest.workspaces === undefined
        ? `This app does not use ${kinds.map(({ title }) => title).join(', ')}: package.json lists none of them. The guides show how to add Vitrine by hand.`
        : 'This is the root of a workspace. Run the command in the folder of the app.',
    );
  if (kind.packages.includes('@vitrine/react') && !('react' in listed))
    throw new UsageError(`This ${kind.title} app does not use React: package.json does not list react.`);
  if (kind.title === 'Hono' && 'wrangler' in listed && !('@hono/node-server' in listed))
    throw new UsageError(
      'This Hono app runs on Cloudflare Workers. The server packages of Vitrine need Node.js or Deno: add the key route to a backend there.',
    );
  requireVersions(kind, project);
  return kind;
};
