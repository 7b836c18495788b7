import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PluginOption } from 'vite';
import { plainCopy } from '../manual/plainCopy.ts';
import { presentPages } from './writeGuidePages.ts';

const root = new URL('../../', import.meta.url);
const fromRoot = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** The list of pages for programs, in the format of llmstxt.org. */
const llmsTxt = (): string => {
  const [, summary = ''] = /^# Vitrine\n\n([\s\S]*?)\n\n/.exec(fromRoot('README.md')) ?? [];
  const sections = Map.groupBy(presentPages(), ({ title }) => title.split('/')[0]);
  const lists = [...sections].map(([section, pages]) =>
    [`## ${section}`, '', ...pages.map(({ file, title }) => `- [${title.split('/')[1]}](${file})`), ''].join(
      '\n',
    ),
  );
  return `# Vitrine\n\n> ${summary.replaceAll('\n', ' ')}\n\n${lists.join('\n')}`;
};

/** A separate process, like the live backend: Storybook's does not read the packages' sources. */
const recordReport = async (): Promise<string> => {
  const program = fileURLToPath(new URL('./recordReport.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@vitrine/source', program], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
};

/**
 * Adds `llms.txt`, the Markdown of every page and the recording of a report to the built manual. Links between the
 * pages lead to their copies.
 */
export const manualFiles = (): PluginOption => ({
  name: 'vitrine:manual-files',
  apply: 'build',
  async generateBundle() {
    const sources = globSync('src/react/lib/**/*.{ts,tsx}', { cwd: root }).map(fromRoot);
    this.emitFile({ type: 'asset', fileName: 'recorded-report.html', source: await recordReport() });
    this.emitFile({ type: 'asset', fileName: 'llms.txt', source: llmsTxt() });
    for (const { file } of presentPages())
      this.emitFile({ type: 'asset', fileName: file, source: plainCopy(fromRoot(file), sources) });
  },
});
