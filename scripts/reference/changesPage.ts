import { globSync, readFileSync } from 'node:fs';

const kinds = ['Features', 'Fixes'] as const;

type Kind = (typeof kinds)[number];

const kindOf = (bump: string): Kind => (/patch/i.test(bump) ? 'Fixes' : 'Features');

/** One sentence of a changelog, and the packages that it is about. */
interface Change {
  readonly version: string;
  readonly kind: Kind;
  readonly summary: string;
  readonly packageName: string;
}

const pending = 'Unreleased';

/** The changes of a file of `.changeset`. */
export const changesetChanges = (text: string): Change[] => {
  const [, head = '', summary = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return [...head.matchAll(/^['"](.+)['"]: (.+)/gm)].map(([, packageName = '', bump = '']) => ({
    version: pending,
    kind: kindOf(bump),
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

/** The changes by version, the newest first, and by kind, each once with its packages. */
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

/** What changed in each version, for everybody who updates. */
export const changesPage = (): string =>
  `# Changes

[Versions](../versions.md) says what a version number promises. All packages have one version.

${formatChanges([
  ...contentOf('.changeset/*.md').flatMap(changesetChanges),
  ...contentOf('src/*/CHANGELOG.md').flatMap(changelogChanges),
])}
`;
