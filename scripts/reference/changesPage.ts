import { globSync, readFileSync } from 'node:fs';

/** One sentence of a changelog, and the packages that it is about. */
interface Change {
  readonly version: string;
  readonly summary: string;
  readonly packageName: string;
}

const pending = 'Not released yet';

/** The changes of a file of `.changeset`. */
export const changesetChanges = (text: string): Change[] => {
  const [, head = '', summary = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return [...head.matchAll(/^['"](.+)['"]: /gm)].map(([, packageName = '']) => ({
    version: pending,
    summary: summary.trim(),
    packageName,
  }));
};

/** The changes of a `CHANGELOG.md`, which a release writes from those files. */
export const changelogChanges = (text: string): Change[] => {
  const [, packageName = ''] = /^# (.+)$/m.exec(text) ?? [];
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [version = ''] = section.split('\n');
      return [...section.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, summary = '']) => ({
        version,
        summary: summary.replaceAll('\n  ', '\n'),
        packageName,
      }));
    });
};

/** The changes by version, the newest first, each once with its packages. */
export const formatChanges = (changes: readonly Change[]): string => {
  const versions = Map.groupBy(changes, ({ version }) => version);
  const newestFirst = [...versions].toSorted(([one], [other]) =>
    one === pending ? -1 : other === pending ? 1 : other.localeCompare(one, 'en', { numeric: true }),
  );
  return newestFirst
    .map(([version, all]) => {
      const lines = [...Map.groupBy(all, ({ summary }) => summary)].map(([summary, parts]) => {
        const names = parts.map(({ packageName }) => `\`${packageName}\``).join(', ');
        return `- ${names}: ${summary.replaceAll('\n', '\n  ')}`;
      });
      return `## ${version}\n\n${lines.join('\n')}`;
    })
    .join('\n\n');
};

const contentOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: new URL('../../', import.meta.url) })
    .sort()
    .map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

/** What changed in each version, for everybody who updates. */
export const changesPage = (): string =>
  `# Changes

[Versions](../versions.md) says what a version number promises. All packages have one version.

${formatChanges([
  ...contentOf('.changeset/*.md').flatMap(changesetChanges),
  ...contentOf('src/*/CHANGELOG.md').flatMap(changelogChanges),
])}
`;
