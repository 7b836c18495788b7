import { ArgTypes, Canvas, CodeOrSourceMdx, HeadersMdx, Markdown } from '@storybook/addon-docs/blocks';
import type { ComponentProps, ReactNode } from 'react';
import { withDeclarations } from './declarations.ts';
import { type Directive, splitPage } from './directives.ts';
import { manualLink, slugOf } from './links.ts';
import { Table } from './Table.tsx';

const sources = Object.values(
  import.meta.glob<string>('../../src/react/lib/**/*.{ts,tsx}', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);

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
  readonly part: string | Directive;
}

const Part = ({ file, part, stories }: PartProps) => {
  if (typeof part === 'string') return <Markdown options={optionsFor(file)}>{part}</Markdown>;
  if (part.type === 'story') return <Canvas of={stories[part.file]?.[part.name]} />;
  return <ArgTypes of={stories[part.file]} include={[...part.names]} sort="requiredFirst" />;
};

/** A Markdown file of the repository as a page of the manual. */
export const MarkdownPage = ({ file, text, stories }: MarkdownPageProps) =>
  splitPage(withDeclarations(text, sources)).map((part, index) => (
    // The parts of a page never change order.
    <Part key={index} file={file} part={part} stories={stories} />
  ));
