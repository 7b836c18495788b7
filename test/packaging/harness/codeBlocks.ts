import { readFileSync } from 'node:fs';

export interface CodeBlock {
  readonly language: string;
  /** From a first line such as `// server.ts`. */
  readonly file: string | undefined;
  readonly code: string;
}

/** The fenced blocks of a Markdown file, in order. */
export const codeBlocks = (markdownFile: string): CodeBlock[] =>
  [...readFileSync(markdownFile, 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', code = '']) => ({ language, file: /^\/\/ (\S+\.tsx?)\n/.exec(code)?.[1], code }),
  );
