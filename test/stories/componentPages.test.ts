import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const sources = globSync('src/react/lib/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'));

const readable = (text: string): string => text.replaceAll(/\{@link ([^}]+)\}/g, '`$1`');

/** The declaration of an exported type, with its documentation. */
const declarationOf = (name: string): string => {
  const pattern = new RegExp(
    `^(?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:interface|class|type) ${name}\\b(?:[^;{]*;|[^{\n]*\\{\\}$|[\\s\\S]*?\\n(?:\\}|  [^\\n]*);?\\n(?=\\n|$))`,
    'm',
  );
  for (const source of sources) {
    const [found] = pattern.exec(`${source}\n`) ?? [];
    if (found !== undefined) return readable(found.trim());
  }
  throw new Error(`@vitrine/react declares no type ${name}.`);
};

/** The rows of the props of an interface and of those that it extends. */
const rowsOf = (name: string): [string, string][] => {
  const declaration = declarationOf(name);
  const [, parents = ''] = /^export interface \w+ extends ([^{]+) \{/m.exec(declaration) ?? [];
  const inherited = parents.split(', ').filter((parent) => /^(?!RootProps)\w+$/.test(parent));
  const own = declaration.matchAll(
    /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}readonly (\w+)(\??): ([\s\S]+?);$/gm,
  );
  return [
    ...[...own].map(([, doc = '', prop = '', optional = '', type = '']): [string, string] => {
      const written = type.replace(/ \| undefined$/, '').replace(/^\((.*)\)$/, '$1');
      const meaning = doc
        .replaceAll(/\s+(?:\* )?/g, ' ')
        .replace(' Default: none.', '')
        .trim();
      const cells = [`\`${prop}\`${optional ? '' : ' (required)'}`, `\`${written}\``, meaning];
      return [prop, `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`];
    }),
    ...inherited.flatMap(rowsOf),
  ];
};

const tableOf = (component: string, names: readonly string[]): string => {
  const rows = new Map(rowsOf(`${component}Props`));
  const chosen = names.map((name) => {
    const row = rows.get(name);
    if (row === undefined) throw new Error(`${component} has no prop ${name}.`);
    return row;
  });
  return ['| Prop | Type | Meaning |', '|---|---|---|', ...chosen].join('\n');
};

/** Writes what the source says after each comment `<!-- type: X -->` and `<!-- props: X a b -->`. */
const withDeclarations = (text: string): string =>
  text
    .replaceAll(
      /^(<!-- type: (\w+) -->)(?:\n\n```typescript\n[\s\S]*?\n```)?$/gm,
      (_found, comment: string, name: string) =>
        `${comment}\n\n\`\`\`typescript\n${declarationOf(name)}\n\`\`\``,
    )
    .replaceAll(
      /^(<!-- props: (\w+) ([\w ]+) -->)(?:\n\n\|.*(?:\n\|.*)*)?$/gm,
      (_found, comment: string, component: string, names: string) =>
        `${comment}\n\n${tableOf(component, names.split(' '))}`,
    );

it.each(globSync('docs/components/*.md'))(
  '%s says what the source says (vitest -u writes it)',
  async (page) => {
    await expect(withDeclarations(readFileSync(page, 'utf8'))).toMatchFileSnapshot(`../../${page}`);
  },
);

it('replaces an outdated table and an outdated declaration (control)', () => {
  const page = (row: string, code: string) =>
    `<!-- props: EmbeddedReport lazy -->\n\n| Prop |\n${row}\n\nText.\n\n<!-- type: ErrorLabel -->\n\n\`\`\`typescript\n${code}\n\`\`\`\n`;
  const written = withDeclarations(page('| outdated |', 'type ErrorLabel = 1;'));
  expect(written).not.toMatch(/outdated|= 1;/);
  expect(written).toMatch(/\| `lazy` \| `boolean` \| Delays .* Default false\. \|\n\nText\.\n\n<!-- type/);
  expect(withDeclarations(written)).toBe(written);
  expect(() => withDeclarations('<!-- props: EmbeddedReport lasy -->')).toThrow('no prop lasy');
});
