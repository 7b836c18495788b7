/**
 * The lint rule `vitrine/no-folder-cycle`: the entries of a folder, its files and its subfolders, do not import each other
 * in a cycle, not even types. An import between two files counts in the innermost folder that contains both, between the
 * two entries of that folder.
 */
import { globSync, readFileSync } from 'node:fs';
import { posix, relative } from 'node:path';

interface Context {
  readonly cwd: string;
  readonly filename: string;
  readonly report: (problem: { readonly node: unknown; readonly message: string }) => void;
}
interface ImportNode {
  readonly source?: { readonly value: string } | null;
}

/** The entries of the innermost common folder that an import joins, by path. */
const edgeOf = (file: string, specifier: string): readonly [from: string, to: string] => {
  const from = file.split('/');
  const to = posix.join(posix.dirname(file), specifier).split('/');
  const depth = from.findIndex((part, index) => part !== to[index]) + 1;
  return [from.slice(0, depth).join('/'), to.slice(0, depth).join('/')];
};

/** What each entry imports. */
const readImports = (cwd: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const imports = new Map<string, Set<string>>();
  for (const name of globSync('src/*/lib/**/*.{ts,tsx}', { cwd })) {
    const code = readFileSync(`${cwd}/${name}`, 'utf8');
    for (const [, specifier = ''] of code.matchAll(
      /(?:^(?:import|export) (?:[^;'"]*? from )?|\bimport\()['"](\.[^'"]+)['"]/gm,
    )) {
      const [from, to] = edgeOf(name.replaceAll('\\', '/'), specifier);
      imports.set(from, (imports.get(from) ?? new Set()).add(to));
    }
  }
  return imports;
};
let cached: ReturnType<typeof readImports> | undefined;

/** The shortest way from one entry to another along imports. */
const findWay = (imports: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string) => {
  const ways = new Map([[from, [from]]]);
  for (const [entry, way] of ways) {
    if (entry === to) return way;
    for (const next of imports.get(entry) ?? []) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  return undefined;
};

const create = (context: Context) => {
  const file = relative(context.cwd, context.filename).replaceAll('\\', '/');
  if (!/^src\/[^/]+\/lib\//.test(file)) return {};
  const check = (node: ImportNode): void => {
    if (!node.source?.value.startsWith('.')) return;
    const [from, to] = edgeOf(file, node.source.value);
    cached ??= readImports(context.cwd);
    const wayBack = findWay(cached, to, from);
    if (wayBack === undefined) return;
    const cycle = [from, ...wayBack].map((entry) => posix.basename(entry)).join(' → ');
    context.report({
      node,
      message: `The entries of ${posix.dirname(from)} import each other in a cycle: ${cycle}. Move what both sides need into an entry that imports neither.`,
    });
  };
  return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
};

export default { meta: { name: 'vitrine' }, rules: { 'no-folder-cycle': { create } } };
