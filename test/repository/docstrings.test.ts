import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Export {
  readonly name: string;
  readonly file: string;
}

/** The exports of an entry from its own files, with their names in these files. */
const exportsOf = (entry: string): Export[] =>
  [
    ...readFileSync(entry, 'utf8').matchAll(/^export (?:(?:type )?\{([^}]*)\}|\*) from '(\.[^']*)';/gm),
  ].flatMap(([, names, path = '']) => {
    const file = join(dirname(entry), path);
    const all = names?.split(',') ?? declaredIn(file);
    return all
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0] ?? '',
      )
      .filter(Boolean)
      .map((name) => ({ name, file }));
  });

/** The names that a file exports. */
const declaredIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^export (?:const|function|class|interface|type) (\w+)/gm)].map(
    ([, name = '']) => name,
  );

/** The documentation comment of a declaration, '' without one; undefined when a file re-exports it. */
const docstringOf = (source: string, name: string): string | undefined => {
  const declaration = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:async )?(?:const|function|class|interface|type) ${name}\\b`,
    'm',
  ).exec(source);
  if (declaration === null) return undefined;
  const [docstring = ''] =
    /\/\*\*(?:(?!\*\/)[^])*\*\/$/.exec(source.slice(0, declaration.index).trimEnd()) ?? [];
  return docstring;
};

const isDocumented = (source: string, name: string): boolean => docstringOf(source, name) !== '';

/** A component, a hook or a factory: the typical imports. */
const isMain = (source: string, name: string): boolean =>
  /^(?:create|use)?[A-Z]/.test(name) &&
  // Not a constant, a class or a type.
  new RegExp(`^export const ${name} = [^'"\\d]`, 'm').test(source);

const hasExample = (docstring = ''): boolean => /@example\n \* ```tsx?\n/.test(docstring);

const entries = globSync('src/*/lib/{index,*/index}.ts');

describe('docstrings', () => {
  it.each(entries)('%s documents every export', (entry) => {
    const missing = exportsOf(entry).filter(
      ({ name, file }) => !isDocumented(readFileSync(file, 'utf8'), name),
    );
    expect(missing).toEqual([]);
  });

  it.each(entries)(
    '%s shows an example of every component, hook and factory, and of at least one export',
    (entry) => {
      const read = exportsOf(entry).map(({ name, file }) => ({ name, source: readFileSync(file, 'utf8') }));
      const without = read.filter(
        ({ name, source }) => isMain(source, name) && !hasExample(docstringOf(source, name)),
      );
      expect(without.map(({ name }) => name)).toEqual([]);
      expect(read.some(({ name, source }) => hasExample(docstringOf(source, name)))).toBe(true);
    },
  );

  it('control: finds exports, and one without a docstring', () => {
    expect(entries.flatMap(exportsOf).length).toBeGreaterThan(200);
    expect(isDocumented('/** Yes. */\nexport const a = 1;\nexport const b = 2;', 'a')).toBe(true);
    expect(isDocumented('/** Yes. */\nexport const a = 1;\nexport const b = 2;', 'b')).toBe(false);
    const source =
      '/**\n * @example\n * ```ts\n */\nexport const createA = () => 1;\n/** No. */\nexport const useB = () => 2;';
    expect(['createA', 'useB'].map((name) => hasExample(docstringOf(source, name)))).toEqual([true, false]);
    expect(['useB', 'b', 'Missing'].map((name) => isMain(source, name))).toEqual([true, false, false]);
  });
});
