/** What a published package may contain, and how large it may be: checked before each release and in every test run. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

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
  vitrine: 550_000,
};
const defaultSizeBudget = 360_000;

const allowed = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/.+\.(c?js|js\.map|d\.c?ts|css|gz)$/,
  /^dist\/starters\/[a-z-]+\/(gitignore|[^.].*\.(html|json|md|ts|tsx))$/,
  /^dist\/(browser\/)?licenses\/.+\.txt$/,
  /^lib\/.+\.(ts|tsx|cts|css|json|html|svg)$/,
];

/** Packs the packages of a checkout into a folder, in one run of npm, and lists the contents of each tarball. */
export const packPackages = (root: string, destination: string): PackedPackage[] => {
  const workspaces = globSync('src/*/package.json', { cwd: root }).flatMap((file) => [
    '--workspace',
    dirname(file),
  ]);
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', destination, ...workspaces], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(output) as PackedPackage[]; // npm's own format
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
