/** What a published package may contain, and how large it may be: checked before each release and in every test run. */
import { execFileSync } from 'node:child_process';

interface PackedFile {
  path: string;
  size: number;
}
export interface PackedPackage {
  name: string;
  version: string;
  filename: string;
  /** Bytes of the tarball. */
  size: number;
  files: PackedFile[];
}

/** Tarball budgets in bytes, about a fifth above the current size. */
const sizeBudgets: Readonly<Record<string, number>> = {
  '@vitrine/portal': 1_500_000,
  vitrine: 460_000,
};
const defaultSizeBudget = 360_000;

const allowed = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/.+\.(js|js\.map|d\.c?ts|d\.ts\.map|css|json|html|svg|woff2|gz|br)$/,
  /^dist\/starters\/[a-z-]+\/(gitignore|[^.].*\.(md|ts|tsx))$/,
  /^dist\/browser\/licences\/.+\.txt$/,
  /^lib\/.+\.(ts|tsx|css|json|html|svg)$/,
];

/** Packs one package into a folder and lists the contents of the tarball. */
export const packPackage = (packageFolder: string, destination: string): PackedPackage => {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
    cwd: packageFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(output) as PackedPackage[]; // npm's own format
  if (packed === undefined) throw new Error(`npm pack wrote nothing for ${packageFolder}`);
  return packed;
};

/** All problems of a packed package, as sentences; empty if it can be published. */
export const findContentProblems = ({ name, size, files }: PackedPackage): string[] => {
  const budget = sizeBudgets[name] ?? defaultSizeBudget;
  const unexpected = files.map(({ path }) => path).filter((path) => !allowed.some((rule) => rule.test(path)));
  const missing = ['package.json', 'README.md', 'LICENSE'].filter(
    (path) => !files.some((file) => file.path === path),
  );
  return [
    ...unexpected.map(
      (path) => `contains ${path}, which the allow-list of scripts/packContents.ts does not name`,
    ),
    ...missing.map((path) => `lacks ${path}`),
    ...(files.some(({ path }) => path.startsWith('dist/')) ? [] : ['lacks dist/: run npm run build first']),
    ...(size > budget ? [`is a tarball of ${size} bytes; the budget is ${budget}`] : []),
  ];
};
