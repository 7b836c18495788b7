import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Export {
  readonly name: string;
  readonly file: string;
}

/** What an entry of a package exports from its own files, under the names that they have there. */
const exportsOf = (entry: string): Export[] =>
  [...readFileSync(entry, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']*)';/gm)].flatMap(
    ([, names = '', path = '']) =>
      names
        .split(',')
        .map(
          (name) =>
            name
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0] ?? '',
        )
        .filter(Boolean)
        .map((name) => ({ name, file: join(dirname(entry), path) })),
  );

/** Whether a declaration has a documentation comment before it, or a file exports it from elsewhere. */
const isDocumented = (source: string, name: string): boolean => {
  const declaration = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:async )?(?:const|function|class|interface|type) ${name}\\b`,
    'm',
  ).exec(source);
  return declaration === null || source.slice(0, declaration.index).trimEnd().endsWith('*/');
};

const entries = globSync('src/*/lib/{index,*/index}.ts');

describe('everything that a package exports has a docstring', () => {
  it.each(entries)('%s', (entry) => {
    const missing = exportsOf(entry).filter(
      ({ name, file }) => !isDocumented(readFileSync(file, 'utf8'), name),
    );
    expect(missing).toEqual([]);
  });

  it('finds exports, and one without a docstring (control)', () => {
    expect(entries.flatMap(exportsOf).length).toBeGreaterThan(200);
    expect(isDocumented('/** Yes. */\nexport const a = 1;\nexport const b = 2;', 'a')).toBe(true);
    expect(isDocumented('/** Yes. */\nexport const a = 1;\nexport const b = 2;', 'b')).toBe(false);
  });
});
