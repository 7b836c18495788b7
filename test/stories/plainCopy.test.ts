import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import { plainCopy, summaryOf } from '../../stories/manual/plainCopy.ts';

const repository = 'https://github.com/vitrine-embed/vitrine/blob/main/';
const copyOf = (file: string): string => plainCopy(file, readFileSync(file, 'utf8'));

describe('the Markdown copy of a page', () => {
  it('omits stories and keeps other comments', () => {
    const page = `# A\n\n<!-- story: EmbeddedReport Default -->\n\n<!-- type: RefreshDue -->\n\nText.\n\n<!-- for people -->\n`;
    expect(plainCopy('docs/a.md', page)).toBe('# A\n\nText.\n\n<!-- for people -->\n');
  });

  it('leads to copies of other pages, and to the repository for all other files', () => {
    const page =
      '[a](../errors.md#offline) [b](../../src/cli) [c](../../SECURITY.md#x) [d](#e) [f](https://f.example)';
    expect(plainCopy('docs/guides/a.md', page)).toBe(
      `[a](../errors.md#offline) [b](${repository}src/cli) [c](${repository}SECURITY.md#x) [d](#e) [f](https://f.example)`,
    );
  });

  it('has a summary of one sentence', () => {
    expect(summaryOf('# A\n\n<!-- story: A B -->\n\nShows [one\nthing](b.md): a `c.d`. And more.\n')).toBe(
      'Shows one thing: a `c.d`.',
    );
    expect(summaryOf('# @vitrine/server/actions\n\n## Functions\n')).toContain('of @vitrine/server/actions.');
  });

  it.each(guidePages.map(({ file }) => file))('omits nothing from %s', (file) => {
    const copy = copyOf(file);
    expect(copy).not.toMatch(/^<!-- \w+: /m);
    // A heading with no content, or a sentence that ends with a colon and introduces nothing.
    expect(copy).not.toMatch(/^(#+) .*\n\n\1 /m);
    expect(copy).not.toMatch(/:\n\n(?:#|$(?![^]))/m);
    expect(summaryOf(copy)).toMatch(/^[\w`].{20,}[.:]$/);
  });
});
