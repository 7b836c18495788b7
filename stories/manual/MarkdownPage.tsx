import { Canvas, CodeOrSourceMdx, HeadersMdx, Markdown } from '@storybook/addon-docs/blocks';
import type { ComponentProps, ReactNode } from 'react';
import { type StoryDirective, splitPage } from './directives.ts';
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

interface PartProps extends Pick<MarkdownPageProps, 'file' | 'stories'> {
  readonly part: string | StoryDirective;
}

const Part = ({ file, part, stories }: PartProps) =>
  typeof part === 'string' ? (
    <Markdown options={optionsFor(file)}>{part}</Markdown>
  ) : (
    <Canvas of={stories[part.file]?.[part.name]} />
  );

/** A Markdown file of the repository as a page of the manual. */
export const MarkdownPage = ({ file, text, stories }: MarkdownPageProps) =>
  splitPage(text).map((part, index) => (
    // The parts of a page never change order.
    <Part key={index} file={file} part={part} stories={stories} />
  ));
