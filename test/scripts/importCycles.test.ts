import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Files and the files of the same package that they import, including types. */
type Imports = ReadonlyMap<string, readonly string[]>;

const readImports = (): Imports =>
  new Map(
    globSync('src/*/lib/**/*.{ts,tsx}').map((file) => {
      const specifiers = readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^;'"]*?from '(\.[^']+)'/gm);
      const targets = [...specifiers].map(([, specifier = '']) => normalize(join(dirname(file), specifier)));
      return [file, targets.filter((target) => existsSync(target))];
    }),
  );

/** The files in a cycle: what remains after removing every file that imports no remaining file, repeatedly. */
const findCycles = (imports: Imports): string[] => {
  const left = new Map(imports);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [file, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(file);
  }
  return [...left.keys()].filter((file) => isReachable(left, file));
};

const isReachable = (imports: Imports, file: string): boolean => {
  const seen = new Set<string>();
  const next = [...(imports.get(file) ?? [])];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (one === file) return true;
    if (seen.has(one)) continue;
    seen.add(one);
    next.push(...(imports.get(one) ?? []));
  }
  return false;
};

const isInside = (folder: string, outer: string) => folder.startsWith(`${outer}${sep}`);

/** Pairs of folders that import each other. A folder and its subfolder count as one. */
const findMutualFolders = (imports: Imports): string[] => {
  const edges = new Set(
    [...imports].flatMap(([file, targets]) =>
      targets
        .map((target) => [dirname(file), dirname(target)] as const)
        .filter(([from, to]) => from !== to && !isInside(from, to) && !isInside(to, from))
        .map(([from, to]) => `${from} ${to}`),
    ),
  );
  return [...edges].filter((edge) => {
    const [from = '', to = ''] = edge.split(' ');
    return from < to && edges.has(`${to} ${from}`);
  });
};

/** Lower it whenever a pair is removed. */
const mostMutualFolders = 4;

const imports = readImports();

describe('the files of a package', () => {
  it('do not import each other in a cycle, not even types', () => {
    expect(findCycles(imports)).toEqual([]);
  });

  it('control: detects a cycle', () => {
    const cycle = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b', 'd']],
      ['d', []],
    ]);
    expect(findCycles(cycle)).toEqual(['b', 'c']);
  });
});

it('no more pairs of folders import each other than before', () => {
  expect(findMutualFolders(imports).length).toBeLessThanOrEqual(mostMutualFolders);
});
