import { readFileSync } from 'node:fs';
import { checks } from '@vitrine/conformance';
import { expect, it } from 'vitest';
import { lists } from '../../src/conformance/lib/checks/lists.ts';
import { metadataRows } from '../../src/conformance/lib/checks/webhooks.ts';

const text = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');
const sections = new Map(
  text.split(/^#+ /m).map((section) => [/^\d+(?:\.\d+)?/.exec(section)?.[0] ?? '0', section] as const),
);

it.each(checks)('$title: quotes its section of the interface', ({ title, quote }) => {
  const [, section = title.split(' ', 1)[0] ?? '', words] = /^(?:(\d[\d.]*): )?(.*)$/s.exec(quote) ?? [];
  expect(sections.get(section)).toContain(words);
});

it('quotes the rows of the tables of fields', () => {
  const rows = [...lists.flatMap(({ fields }) => fields), ...metadataRows];
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
  expect(rows.length).toBeGreaterThan(20);
});
