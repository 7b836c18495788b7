/**
 * The table of packages and the packages that they may import. `npm run format` writes the lint rules from it into
 * `.oxlintrc.json`, and `test/scripts/importDirections.test.ts` checks that the rules hold.
 */
interface Direction {
  /** Sibling packages that this one may import, by folder. */
  mayImport: readonly string[];
  /** Modules from outside the repository that this package must not import. */
  mayNotImport?: readonly string[];
  /** What the lint error says. */
  reason: string;
}

/** In dependency order, in which they are built. */
const folders = [
  'contract',
  'react',
  'portal-client',
  'server',
  'express',
  'portal',
  'vite',
  'cli',
  'create-vitrine',
] as const;
export type PackageFolder = (typeof folders)[number];
export const packageFolders: readonly PackageFolder[] = folders;

export const importDirections: Readonly<Record<PackageFolder, Direction>> = {
  contract: {
    mayImport: [],
    mayNotImport: ['node:*'],
    reason: 'contract imports no other package and runs in every environment.',
  },
  react: {
    mayImport: ['contract'],
    mayNotImport: ['@vitrine/contract/service', '@vitrine/contract/service/*', 'node:*', 'zod'],
    reason: 'react runs in browsers and imports only contract: no server package, not even a type.',
  },
  'portal-client': { mayImport: ['contract'], reason: 'portal-client imports only contract.' },
  server: {
    mayImport: ['contract', 'portal-client'],
    mayNotImport: ['express'],
    reason: 'server imports contract and portal-client, and no framework.',
  },
  express: {
    mayImport: ['contract', 'portal-client', 'server'],
    reason: 'express is a thin adapter over server.',
  },
  portal: {
    mayImport: ['contract'],
    reason: 'portal is the other side of the wire: it shares only contract with our clients.',
  },
  vite: {
    mayImport: ['contract', 'portal-client', 'server', 'portal'],
    reason: 'vite mounts the server and starts the portal.',
  },
  cli: {
    mayImport: ['contract', 'portal-client', 'server', 'portal'],
    reason: 'cli imports contract, portal-client, server and portal.',
  },
  'create-vitrine': {
    mayImport: [],
    reason: 'create-vitrine runs before anything is installed: it imports no other package.',
  },
};

/** The name under which a package is imported. */
export const packageName = (folder: string): string =>
  folder === 'cli' ? 'vitrine' : folder === 'create-vitrine' ? folder : `@vitrine/${folder}`;

const isKnown = (folder: string): folder is PackageFolder => folders.some((known) => known === folder);

/**
 * Folders that may import less than their package. The conformance checks use only the portal's interface: neither our
 * client nor our portal.
 */
export const stricterFolders: Readonly<Record<string, Direction>> = {
  'src/cli/lib/conformance': {
    mayImport: ['contract'],
    mayNotImport: ['**/commands/**', '**/program/**', '**/input/**', '**/output/**'],
    reason: 'The conformance checks import only contract: they know only the interface of a portal.',
  },
};

/** The lint override for each package: no sibling outside the table, and no sibling by path. */
export const lintOverrides = () => [
  ...folders.map((folder) => overrideFor(`src/${folder}`, importDirections[folder])),
  ...Object.entries(stricterFolders).map(([path, direction]) => overrideFor(path, direction)),
];

const overrideFor = (path: string, { mayImport, mayNotImport = [], reason }: Direction) => {
  const unknown = mayImport.filter((name) => !isKnown(name));
  if (unknown.length > 0) throw new Error(`${path} names unknown packages: ${unknown.join(', ')}`);
  const siblings = folders.filter((name) => path.split('/')[1] !== name || path.includes('/lib/'));
  const forbidden = siblings.filter((name) => !mayImport.includes(name)).map(packageName);
  return {
    files: [`${path}/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                ...forbidden.flatMap((name) => [name, `${name}/*`]),
                ...mayNotImport,
                ...siblings.map((name) => `**/${name}/lib/**`),
              ],
              message: reason,
            },
          ],
        },
      ],
    },
  };
};
