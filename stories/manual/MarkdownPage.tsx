import { ArgTypes, Canvas, CodeOrSourceMdx, HeadersMdx, Markdown } from '@storybook/addon-docs/blocks';
import type { ComponentProps, ReactNode } from 'react';
import { declarationBlock } from './declarations.ts';
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

const Text = ({ file, children }: { readonly file: string; readonly children: string }) => (
  <Markdown options={optionsFor(file)}>{children}</Markdown>
);

interface PartProps extends Pick<MarkdownPageProps, 'file' | 'stories'> {
  readonly directive: Directive;
}

const Part = ({ file, directive, stories }: PartProps) => {
  switch (directive.type) {
    case 'story':
      return <Canvas of={stories[directive.file]?.[directive.name]} />;
    case 'props':
      return <ArgTypes of={stories[directive.file]} include={[...directive.names]} sort="requiredFirst" />;
    case 'type':
      return <Text file={file}>{declarationBlock(directive.name, sources)}</Text>;
  }
};

/** A Markdown file of the repository as a page of the manual. */
export const MarkdownPage = ({ file, text, stories }: MarkdownPageProps) =>
  splitPage(text).map((part, index) =>
    typeof part === 'string' ? (
      // The parts of a page never change order.
      <Text key={index} file={file}>
        {part}
      </Text>
    ) : (
      <Part key={index} file={file} directive={part} stories={stories} />
    ),
  );
