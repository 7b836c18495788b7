/**
 * The table of packages and the packages that they may import. `npm run format` writes the lint rules from it into
 * `.oxlintrc.json`, and `test/repository/lintRules.test.ts` checks that the rules hold.
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
  'conformance',
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
    mayImport: ['contract', 'server'],
    reason: 'express is a thin adapter over server.',
  },
  portal: {
    mayImport: ['contract', 'react'],
    reason:
      'portal is the other side of the wire: it shares contract with our clients, and its console shows react.',
  },
  vite: {
    mayImport: ['contract', 'server', 'portal'],
    reason: 'vite mounts the server and starts the portal.',
  },
  conformance: {
    mayImport: [],
    reason: 'conformance imports no other package: it knows only the interface of a portal.',
  },
  cli: {
    mayImport: ['contract', 'portal-client', 'server', 'portal', 'conformance'],
    reason: 'cli imports contract, portal-client, server, portal and conformance.',
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

/** The lint override for each package: no sibling outside the table, and no sibling by path. */
export const lintOverrides = () => folders.map((folder) => overrideFor(folder, importDirections[folder]));

const overrideFor = (folder: PackageFolder, { mayImport, mayNotImport = [], reason }: Direction) => {
  const unknown = mayImport.filter((name) => !isKnown(name));
  if (unknown.length > 0) throw new Error(`${folder} names unknown packages: ${unknown.join(', ')}`);
  const siblings = folders.filter((name) => name !== folder);
  const forbidden = siblings.filter((name) => !mayImport.includes(name)).map(packageName);
  return {
    files: [`src/${folder}/**`],
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
