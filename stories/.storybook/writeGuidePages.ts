import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type GuidePage, guidePages, referencePages } from './guidePages.ts';

const folder = fileURLToPath(new URL('../.generated/', import.meta.url));

const importing = (what: string, path: string): string => ['import', what, 'from', `'${path}';`].join(' ');

/** Storybook only finds pages in MDX files, which must contain their titles. */
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

/** The pages whose files exist: the API reference is missing until `npm run build:reference` has written it. */
export const presentPages = (): readonly GuidePage[] => [
  ...guidePages,
  ...referencePages.filter(({ file }) =>
    existsSync(fileURLToPath(new URL(`../../${file}`, import.meta.url))),
  ),
];

/** Writes a Storybook page for each Markdown file of the manual, into a folder that Git ignores. */
export const writeGuidePages = (): void => {
  mkdirSync(folder, { recursive: true });
  const pages = new Map(
    presentPages().map((page, place) => {
      const number = String(place).padStart(3, '0');
      return [`${number}-${page.file.replaceAll('/', '-')}.mdx`, mdxOf(page)] as const;
    }),
  );
  for (const file of readdirSync(folder)) if (!pages.has(file)) rmSync(`${folder}${file}`);
  for (const [file, content] of pages) {
    const target = `${folder}${file}`;
    // Rewriting a file would trigger Vite's watcher.
    if (!existsSync(target) || readFileSync(target, 'utf8') !== content) writeFileSync(target, content);
  }
};
