import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFileUrl } from '../../scripts/packageMetadata.ts';

const pages = globSync(
  '{*.md,docs/**/*.md,src/*/README.md,src/cli/skills/**/*.md,bench/README.md,examples/**/README.md}',
  {
    exclude: ['**/node_modules/**', 'docs/reference/**'],
  },
);

/** The page without its code, whose brackets are not links. */
const proseOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, 'code');

/** The anchors that GitHub gives to the headings of a page. */
const anchorsOf = (file: string): Set<string> => {
  const headings = readFileSync(file, 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .matchAll(/^#{1,6} (.+)$/gm);
  const named = readFileSync(file, 'utf8').matchAll(/<a id="([^"]+)">/g);
  const slugs = [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  return new Set([...slugs, ...[...named].map(([, id = '']) => id)]);
};

/** The problem of a link, if any. */
const brokenLink = (page: string, target: string): string | undefined => {
  const [path = '', anchor] = target.split('#');
  const own = repositoryFileUrl('');
  const file = path === '' ? page : path.startsWith(own) ? path.slice(own.length) : join(dirname(page), path);
  if (!existsSync(file)) return `${target}: there is no ${file}`;
  if (anchor === undefined || statSync(file).isDirectory()) return undefined;
  return anchorsOf(file).has(anchor) ? undefined : `${target}: ${file} has no heading #${anchor}`;
};

const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target) || target.startsWith(repositoryFileUrl('')));

describe('links and anchors', () => {
  it.each(pages)('of %s resolve', (page) => {
    const broken = linksOf(proseOf(page)).flatMap((target) => brokenLink(page, target) ?? []);
    expect(broken).toEqual([]);
  });

  it.each(pages.filter((page) => page.startsWith('src/')))(
    'of %s work on the package registry page',
    (page) => {
      expect(linksOf(proseOf(page)).filter((target) => /^[./]/.test(target))).toEqual([]);
    },
  );

  it('reports a missing file and a missing heading (control)', () => {
    expect(brokenLink('README.md', 'docs/nowhere.md')).toContain('there is no');
    expect(brokenLink('README.md', repositoryFileUrl('nowhere.md'))).toContain('there is no');
    expect(brokenLink('README.md', 'docs/interface.md#nowhere')).toContain('no heading');
    expect(brokenLink('README.md', 'docs/interface.md#8-limits')).toBeUndefined();
  });
});

it('sources cite existing sections of docs/interface.md', () => {
  const sections = new Set(
    [...readFileSync('docs/interface.md', 'utf8').matchAll(/^#+ (\d(?:\.\d)?)\.? /gm)].map(
      ([, number]) => number,
    ),
  );
  const cited = globSync('{src/*/lib,test,stories,bench}/**/*.{ts,tsx}', {
    exclude: ['**/node_modules/**'],
  }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/docs\/interface\.md#(\d(?:\.\d)?)/g)].map(([, number]) => ({
      file,
      number,
    })),
  );
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ number }) => !sections.has(number))).toEqual([]);
});
