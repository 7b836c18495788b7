import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import { plainCopy } from '../../stories/manual/plainCopy.ts';

const sources = globSync('src/react/lib/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'));

describe('the Markdown copy of a page', () => {
  it('contains declarations and prop names where the manual renders them', () => {
    const page = `# A\n\n<!-- story: EmbeddedReport Default -->\n\n<!-- props: EmbeddedReport itemId title -->\n\n<!-- type: RefreshDue -->\n\n<!-- for people -->\n`;
    const copy = plainCopy(page, sources);
    expect(copy).toMatch(
      /^# A\n\nProps: `itemId`, `title`; see \[EmbeddedReportProps\]\(.*#embeddedreportprops\)\.\n\n```/,
    );
    expect(copy).toContain('export interface RefreshDue {');
    expect(copy).toMatch(/```\n\n<!-- for people -->\n$/);
  });

  it.each(guidePages.map(({ file }) => file))('omits nothing from %s', (file) => {
    const copy = plainCopy(readFileSync(file, 'utf8'), sources);
    expect(copy).not.toMatch(/^<!-- \w+: /m);
    // A heading with no content, or a sentence that ends with a colon and introduces nothing.
    expect(copy).not.toMatch(/^(#+) .*\n\n\1 /m);
    expect(copy).not.toMatch(/:\n\n(?:#|$(?![^]))/m);
  });
});
