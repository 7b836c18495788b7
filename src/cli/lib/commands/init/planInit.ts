import { diff } from 'node:util';
import type { Colors } from '../../output/createColors.ts';
import { UsageError } from '../../output/usageError.ts';
import { addLines, lineEndOf } from './edits.ts';
import type { Manifest, Project } from './project.ts';
import type { ProjectKind } from './projectKind.ts';

/** A changed file: its text before (undefined for a new file) and after. */
export interface Change {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
  /** For a manifest: whether its packages were installed. */
  readonly installed?: boolean;
}

/** The npm script that starts the development portal. */
export const portalScript = 'vitrine:portal';

const sorted = (record: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));

const planManifest = (project: Project, kind: ProjectKind, version: string): Change => {
  const before = project.read('package.json') ?? '{}';
  const { manifest } = project;
  const rangeOf = (name: string) => (name === '@tanstack/react-query' ? '^5.60.0' : `^${version}`);
  const missing = (names: readonly string[]) =>
    Object.fromEntries(
      names
        .filter((name) => !(name in { ...manifest.dependencies, ...manifest.devDependencies }))
        .map((name) => [name, rangeOf(name)]),
    );
  const usesPortal = kind.developmentPackages.includes('vitrine');
  const added: Manifest = {
    ...(usesPortal && {
      scripts: { [portalScript]: 'vitrine portal --write-env .env.local', ...manifest.scripts },
    }),
    dependencies: sorted({ ...manifest.dependencies, ...missing(kind.packages) }),
    devDependencies: sorted({ ...manifest.devDependencies, ...missing(kind.developmentPackages) }),
  };
  const [, indentation = '  '] = /^([ \t]+)"/m.exec(before) ?? [];
  const end = before.endsWith('\n') ? '\n' : '';
  return {
    file: 'package.json',
    before,
    after: (
      JSON.stringify({ ...JSON.parse(before.replace(/^\uFEFF/, '')), ...added }, null, indentation) + end
    ).replaceAll('\n', lineEndOf(before)),
  };
};

/** Entries for .gitignore, each with the pattern of lines that already cover it. */
const ignored = [
  ['.env.local', /^\/?(?:\.env(?:\.local|\*|\*\.local|\.\*)|\*\.local)\r?$/m],
  ['.vitrine/', /^\/?\.vitrine\/?\r?$/m],
] as const;

/** Plans all changes to an app. Throws, with manual instructions, if a file has no place for its change. */
export const planInit = (project: Project, kind: ProjectKind, version: string): Change[] => {
  const edits = [...kind.edits(project), addLines('.gitignore', ignored)];
  const changes = edits.map(({ file, apply, byHand }) => {
    const before = project.read(file);
    const after = apply(before);
    if (before === undefined && project.find([file]) !== undefined)
      throw new UsageError(
        `Nothing was changed. ${file} is not a file. Rename it, and run vitrine init again.`,
      );
    if (after === undefined) throw new UsageError(`Nothing was changed. ${byHand(before ?? '')}`);
    return { file, before, after };
  });
  return [planManifest(project, kind, version), ...changes].filter(({ before, after }) => before !== after);
};

/** The lines of a text, with any line endings. */
export const linesOf = (text: string): string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);

/** The lines that a change adds. In Node's diff, 1 marks a line of the first text and -1 one of the second. */
export const addedLines = (before: string, after: string): string[] =>
  diff(linesOf(before), linesOf(after)).flatMap(([operation, line]) => (operation === -1 ? [line] : []));

/** Formats a change as a diff. */
export const formatChange = ({ file, before, after }: Change, colors: Colors): string => {
  const changed = diff(linesOf(before ?? ''), linesOf(after)).filter(([operation]) => operation !== 0);
  const lines = changed.map(([operation, line]) =>
    // In Node's diff, 1 marks a line of the first text and -1 one of the second.
    operation === 1 ? colors.red(`  - ${line}`) : colors.green(`  + ${line}`),
  );
  return [`${before === undefined ? 'Create' : 'Change'} ${colors.bold(file)}`, ...lines, ''].join('\n');
};
