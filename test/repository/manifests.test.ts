import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryUrl } from '../../scripts/packageMetadata.ts';

type Target = string | { readonly [condition: string]: Target };

interface Manifest {
  readonly name: string;
  readonly main?: string;
  readonly types?: string;
  readonly exports?: Readonly<Record<string, Target>>;
}

/** The first condition that applies decides: Jest 28 and 29, Vite's config loader and Metro do not go on to the next one. */
const resolveStrictly = (target: Target | undefined, conditions: readonly string[]): string | undefined => {
  if (target === undefined || typeof target === 'string') return target;
  const [, next] = Object.entries(target).find(([condition]) => conditions.includes(condition)) ?? [];
  return resolveStrictly(next, conditions);
};

const isForBrowsers = (name: string): boolean => ['@vitrine/react', '@vitrine/contract'].includes(name);
const manifests = globSync('src/*/package.json')
  .map((file): Manifest => JSON.parse(readFileSync(file, 'utf8')))
  .filter(({ exports }) => exports !== undefined);
const entries = manifests.flatMap(({ name, exports = {} }) =>
  Object.entries(exports)
    .filter(([entry]) => !entry.endsWith('.css'))
    .map(([entry, target]) => ({ name, entry, target })),
);

describe.each(['import', 'require'])('with the condition "%s"', (kind) => {
  it.each(entries)('$name exports $entry to Node', ({ target }) => {
    expect(resolveStrictly(target, [kind, 'node', 'default'])).toMatch(/^\.\/dist\/.+\.c?js$/);
  });

  it.each(entries)('$name exports $entry to a browser only if it is not for servers', ({ name, target }) => {
    const found = resolveStrictly(target, [kind, 'browser', 'default']);
    expect(found).toEqual(isForBrowsers(name) ? expect.stringMatching(/^\.\/dist\/.+\.c?js$/) : undefined);
  });

  it.each(entries)('$name exports types of $entry', ({ target }) => {
    expect(resolveStrictly(target, [kind, 'types', 'node', 'default'])).toMatch(/^\.\/dist\/.+\.d\.c?ts$/);
  });
});

it('gives developers their messages under `require` too', () => {
  const react = entries.find(({ name, entry }) => name === '@vitrine/react' && entry === '.');
  expect(resolveStrictly(react?.target, ['require', 'development', 'default'])).toBe(
    './dist/index.development.cjs',
  );
});

it.each(manifests)('$name has types for resolvers that do not read exports', ({ name, main, types }) => {
  expect(types).toBe('./dist/index.d.ts');
  expect(main).toBe(isForBrowsers(name) ? './dist/index.js' : undefined);
});

it('control: a nested condition without a target is found', () => {
  const target = { require: { types: './dist/index.d.cts' }, default: './dist/index.js' };
  expect(resolveStrictly(target, ['require', 'default'])).toBeUndefined();
});

it.each(globSync('src/*/package.json'))('%s says where it comes from, and is public', (file) => {
  const folder = `src/${basename(dirname(file))}`;
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    homepage: `${repositoryUrl}/tree/main/${folder}#readme`,
    bugs: { url: `${repositoryUrl}/issues` },
    repository: { type: 'git', url: `git+${repositoryUrl}.git`, directory: folder },
    publishConfig: { access: 'public' },
  });
});

it('explains each of at most 20 runtime dependencies', () => {
  const used = globSync('src/*/package.json').flatMap((file) => {
    const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
    return Object.keys(dependencies).filter((name) => !name.startsWith('@vitrine/'));
  });
  const rows = readFileSync('docs/decisions/dependencies.md', 'utf8').matchAll(/^\| `(.+?)` \|/gm);
  const explained = [...rows].map(([, name]) => name);
  expect(explained).toEqual([...new Set(used)].sort());
  expect(explained.length).toBeLessThanOrEqual(20);
});

it('packs everything that the portal in a container installs', () => {
  const dependenciesOf = (folder: string): string[] => {
    const { dependencies = {} } = JSON.parse(readFileSync(`src/${folder}/package.json`, 'utf8'));
    const own = Object.keys(dependencies).filter((name) => name.startsWith('@vitrine/'));
    return own
      .map((name) => name.slice('@vitrine/'.length))
      .flatMap((name) => [name, ...dependenciesOf(name)]);
  };
  const [, packed = ''] =
    /^npm pack (.*) --pack/m.exec(readFileSync('examples/deploy/README.md', 'utf8')) ?? [];
  const needed = new Set(['cli', ...dependenciesOf('cli')].map((folder) => `./src/${folder}`));
  expect(new Set(packed.split(' '))).toEqual(needed);
});
