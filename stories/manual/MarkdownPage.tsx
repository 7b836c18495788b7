import { Canvas, CodeOrSourceMdx, HeadersMdx, Markdown } from '@storybook/addon-docs/blocks';
import type { ComponentProps, ReactNode } from 'react';
import { splitPage } from './directives.ts';
import { manualLink, slugOf } from './links.ts';
import { Table } from './Table.tsx';

type StoryFiles = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface MarkdownPageProps {
  /** Path of the file in the repository. */
  readonly file: string;
  readonly text: string;
  readonly stories: StoryFiles;
}

const optionsFor = (file: string) => ({
  slugify: slugOf,
  overrides: {
    ...HeadersMdx,
    code: CodeOrSourceMdx,
    table: Table,
    pre: ({ children }: { readonly children: ReactNode }) => children,
    a: ({ href = '', id, children }: ComponentProps<'a'>) =>
      href === '' ? (
        <span id={id}>{children}</span>
      ) : (
        <a href={manualLink(file, href)} target={href.startsWith('#') ? '_self' : '_top'}>
          {children}
        </a>
      ),
  },
});

/** A Markdown file of the repository as a page of the manual. */
export const MarkdownPage = ({ file, text, stories }: MarkdownPageProps) =>
  // The parts of a page never change order.
  splitPage(text).map((part, index) =>
    typeof part === 'string' ? (
      <Markdown key={index} options={optionsFor(file)}>
        {part}
      </Markdown>
    ) : (
      <Canvas key={index} of={stories[part.file]?.[part.name]} />
    ),
  );
