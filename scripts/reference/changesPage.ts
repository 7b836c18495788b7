import { globSync, readFileSync } from 'node:fs';

const kinds = ['Features', 'Fixes'] as const;

type Kind = (typeof kinds)[number];

const kindOf = (bump: string): Kind => (/patch/i.test(bump) ? 'Fixes' : 'Features');

/** One sentence of a changelog, and its packages. */
interface Change {
  readonly version: string;
  readonly kind: Kind;
  readonly summary: string;
  readonly packageName: string;
}

const pending = 'Unreleased';

/** The changes in a changeset. */
export const changesetChanges = (text: string): Change[] => {
  const [, head = '', summary = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return [...head.matchAll(/^['"](.+)['"]: (.+)/gm)].map(([, packageName = '', bump = '']) => ({
    version: pending,
    kind: kindOf(bump),
    summary: summary.trim(),
    packageName,
  }));
};

/** The changes in a `CHANGELOG.md`, which a release writes from the changesets. */
export const changelogChanges = (text: string): Change[] => {
  const [, packageName = ''] = /^# (.+)$/m.exec(text) ?? [];
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [version = ''] = section.split('\n');
      return section.split(/^### /m).flatMap((part) =>
        [...part.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, summary = '']) => ({
          version,
          kind: kindOf(part.split('\n')[0] ?? ''),
          summary: summary.replaceAll('\n  ', '\n'),
          packageName,
        })),
      );
    });
};

const listOf = (changes: readonly Change[]): string =>
  [...Map.groupBy(changes, ({ summary }) => summary)]
    .map(([summary, parts]) => {
      const names = parts.map(({ packageName }) => `\`${packageName}\``).join(', ');
      return `- ${names}: ${summary.replaceAll('\n', '\n  ')}`;
    })
    .join('\n');

/** Formats changes by version, newest first, and by kind, each once with its packages. */
export const formatChanges = (changes: readonly Change[]): string => {
  const versions = Map.groupBy(changes, ({ version }) => version);
  const newestFirst = [...versions].toSorted(([one], [other]) =>
    one === pending ? -1 : other === pending ? 1 : other.localeCompare(one, 'en', { numeric: true }),
  );
  return newestFirst
    .flatMap(([version, all]) => {
      const byKind = Map.groupBy(all, ({ kind }) => kind);
      const parts = kinds.flatMap((kind) => {
        const some = byKind.get(kind);
        return some === undefined ? [] : [`### ${kind}`, listOf(some)];
      });
      return [`## ${version}`, ...parts];
    })
    .join('\n\n');
};

const contentOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: new URL('../../', import.meta.url) })
    .sort()
    .map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

/** The page of changes in each version. */
export const changesPage = (): string =>
  `# Changes

[Versions](../versions.md) explains the version numbers. All packages share one version.

${formatChanges([
  ...contentOf('.changeset/*.md').flatMap(changesetChanges),
  ...contentOf('src/*/CHANGELOG.md').flatMap(changelogChanges),
])}
`;
