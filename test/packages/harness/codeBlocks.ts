import { readFileSync } from 'node:fs';

/** The text of a Markdown file, or of a TypeScript file with its docstrings as Markdown. */
const readMarkdown = (file: string): string => {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.md') ? text : text.replaceAll(/^ \* ?/gm, '');
};

/** The fenced blocks of a Markdown file, or of the docstrings of a TypeScript file, in order. */
export const codeBlocks = (file: string) =>
  [...readMarkdown(file).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    /** From a first line such as `// server.ts`. */
    file: /^\/\/ (\S+\.tsx?)\n/.exec(code)?.[1],
    code,
  }));
