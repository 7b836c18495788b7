import { readFileSync } from 'node:fs';
import type { PluginOption } from 'vite';
import { plainCopy, summaryOf } from '../manual/plainCopy.ts';
import { presentPages } from './writeGuidePages.ts';

const root = new URL('../../', import.meta.url);
const fromRoot = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** The list of pages for programs, in the format of llmstxt.org. */
const llmsTxt = (): string => {
  const [, summary = ''] = /<\/h1>\n\n([\s\S]*?)\n\n/.exec(fromRoot('README.md')) ?? [];
  const pages = presentPages().map(
    ({ file, title }) => `- [${title.replace('/', ': ')}](${file}): ${summaryOf(fromRoot(file))}\n`,
  );
  return `# Vitrine\n\n> ${summary.replaceAll('\n', ' ')}\n\n## Pages\n\n${pages.join('')}`;
};

/** Adds `llms.txt` and the Markdown of every page to the built manual. Links between the pages lead to their copies. */
export const manualFiles = (): PluginOption => ({
  name: 'vitrine:manual-files',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'llms.txt', source: llmsTxt() });
    for (const { file } of presentPages())
      this.emitFile({ type: 'asset', fileName: file, source: plainCopy(file, fromRoot(file)) });
  },
});
