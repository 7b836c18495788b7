/** What a published package may contain, and how large it may be. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

export interface PackedPackage {
  name: string;
  version: string;
  filename: string;
  /** Bytes of the tarball. */
  size: number;
  files: readonly { path: string }[];
}

/** Budgets of the tarballs in bytes, about a fifth above their size. */
const budgets: Readonly<Record<string, number>> = { '@vitrine/portal': 1_600_000, vitrine: 550_000 };
const otherBudget = 360_000;

const allowed = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/.+\.(c?js|js\.map|d\.c?ts|css|gz)$/,
  /^dist\/starters\/[a-z-]+\/(gitignore|[^.].*\.(html|json|md|ts|tsx))$/,
  /^dist\/(browser\/)?licenses\/.+\.txt$/,
  /^skills\/[a-z-]+\/SKILL\.md$/,
  /^lib\/.+\.(ts|tsx|cts|css|json|html|svg)$/,
];

/** Packs the packages of a checkout into a folder, and lists the contents of each tarball. */
export const packPackages = (root: string, destination: string): PackedPackage[] => {
  const folders = globSync('src/*/package.json', { cwd: root }).map((file) => `--workspace=${dirname(file)}`);
  const options = ['--json', '--pack-destination', destination, ...folders];
  return JSON.parse(
    execFileSync('npm', ['pack', ...options], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
  );
};

/** All problems of a packed package, as sentences; empty if it can be published. */
export const findContentProblems = ({ name, size, files }: PackedPackage): string[] => {
  const budget = budgets[name] ?? otherBudget;
  const unexpected = files.filter(({ path }) => !allowed.some((rule) => rule.test(path)));
  const isBuilt = files.some(({ path }) => path.startsWith('dist/'));
  return [
    ...unexpected.map(({ path }) => `contains ${path}, which scripts/packContents.ts does not allow`),
    ...(isBuilt ? [] : ['lacks dist/: run npm run build first']),
    ...(size > budget ? [`is a tarball of ${size} bytes; the budget is ${budget}`] : []),
  ];
};
