import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GuidePage, guidePages } from './guidePages.ts';

const folder = fileURLToPath(new URL('../.generated/', import.meta.url));

const importing = (what: string, path: string): string => ['import', what, 'from', `'${path}';`].join(' ');

/** Storybook finds pages in MDX files alone, and their titles must be written there. */
const mdxOf = ({ file, title, stories = [] }: GuidePage): string =>
  [
    "import { Meta } from '@storybook/addon-docs/blocks';",
    "import { MarkdownPage } from '../manual/MarkdownPage.tsx';",
    importing('text', `../../${file}?raw`),
    ...stories.map((name) => importing(`* as ${name}`, `../${name}.stories.tsx`)),
    '',
    `<Meta title="${title}" />`,
    '',
    `<MarkdownPage file="${file}" text={text} stories={{ ${stories.join(', ')} }} />`,
    '',
  ].join('\n');

/** Writes a page of Storybook for each Markdown file of the manual, into a folder that Git ignores. */
export const writeGuidePages = (): void => {
  mkdirSync(folder, { recursive: true });
  for (const page of guidePages) {
    const target = `${folder}${basename(page.file, '.md')}.mdx`;
    const content = mdxOf(page);
    // A file that is written again starts Vite's watcher again.
    if (!existsSync(target) || readFileSync(target, 'utf8') !== content) writeFileSync(target, content);
  }
};
