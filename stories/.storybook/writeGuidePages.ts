import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type GuidePage, guidePages, referencePages } from './guidePages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}stories/.generated/`;

/** Storybook only finds pages in MDX files, which must contain their titles. */
const mdxOf = ({ file, title }: GuidePage): string => {
  const directives = readFileSync(root + file, 'utf8').matchAll(/^<!-- story: (\w+) /gm);
  const stories = [...new Set([...directives].map(([, name]) => name))];
  // Storybook would read an import with a quoted path as one of this file.
  const text = `'../../${file}?raw'`;
  return `import { Meta } from '@storybook/addon-docs/blocks';
import { MarkdownPage } from '../manual/MarkdownPage.tsx';
import text from ${text};
${stories.map((name) => `import * as ${name} from '../${name}.stories.tsx';\n`).join('')}
<Meta title="${title}" />

<MarkdownPage file="${file}" text={text} stories={{ ${stories.join(', ')} }} />
`;
};

/** The pages whose files exist: the API reference is missing until `npm run build:reference` has written it. */
export const presentPages = (): readonly GuidePage[] =>
  [...guidePages, ...referencePages].filter(({ file }) => existsSync(root + file));

/** Writes a Storybook page for each Markdown file of the manual, into a folder that Git ignores. */
export const writeGuidePages = (): void => {
  mkdirSync(folder, { recursive: true });
  const pages = new Map(
    presentPages().map((page, place) => {
      const number = String(place).padStart(3, '0');
      return [`${number}-${page.file.replaceAll('/', '-')}.mdx`, mdxOf(page)] as const;
    }),
  );
  for (const file of readdirSync(folder)) if (!pages.has(file)) rmSync(folder + file);
  for (const [file, content] of pages) writeFileSync(folder + file, content);
};
