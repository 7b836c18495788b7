import { describe, expect, it } from 'vitest';
import { countCodeLines, isOverBudget, measure } from '../../scripts/codeLines.ts';

describe('countCodeLines', () => {
  it.each([
    ['a blank line', 'a\n\n  \nb', 2],
    ['a comment on its own line', '// one\na\n/* two\n   three */\n', 1],
    ['code on both sides of a comment', 'a /* one\n two */ b // three', 1],
    ['text that looks like a comment', "a('/* no comment');\nb('// neither');\nc('*/')", 3],
    ['a template of several lines', '`\n// a line\n`', 3],
    ['an apostrophe in the text of an element', "<p>It's here // and here</p>\nb", 2],
  ])('counts %s', (_, text, lines) => {
    expect(countCodeLines(text)).toBe(lines);
  });
});

const table = [
  {
    name: 'shop',
    budget: 100,
    files: /^shop\//,
    parts: [
      { name: 'till', budget: 10, files: /till/ },
      { name: 'rest', budget: 90, files: /./ },
    ],
  },
];

describe('the budgets', () => {
  const lines = new Map([
    ['shop/till.ts', 11],
    ['shop/rest.ts', 94],
    ['other/till.ts', 1000],
  ]);

  it('fail for a package and a part that is more than a twentieth over, in its final shape', () => {
    expect(measure(lines, table, ['shop']).filter(isOverBudget)).toMatchObject([
      { name: 'shop: till', lines: 11 },
    ]);
    const more = new Map([...lines, ['shop/more.ts', 1]]);
    expect(measure(more, table, ['shop']).filter(isOverBudget)).toMatchObject([
      { name: 'shop', lines: 106 },
      { name: 'shop: till', lines: 11 },
      { name: 'shop: rest', lines: 95 },
    ]);
  });

  it('do not fail before', () => {
    expect(measure(lines, table, []).map(({ name, lines }) => [name, lines])).toEqual([
      ['shop', 105],
      ['shop: till', 11],
      ['shop: rest', 94],
    ]);
    expect(measure(lines, table, []).filter(isOverBudget)).toEqual([]);
  });
});
