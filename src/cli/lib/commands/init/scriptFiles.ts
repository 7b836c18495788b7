import { UsageError } from '../../output/usageError.ts';
import type { Project } from './project.ts';

/** The extension of a script that belongs to the app. */
export const extensionOf = ({ isTypeScript }: Project) => (isTypeScript ? 'ts' : 'js');

/** A script of a starter in the language of the app: as it is, or without its types. */
export const inLanguageOf = ({ isTypeScript }: Project, code: string): string =>
  isTypeScript ? code : code.replace(/^import type .*\n\n/, '').replaceAll(/: \{ \w+: \w+ \}/g, '');

/** The first of the files that exists. Throws if none does. */
export const requireFile = (project: Project, title: string, files: readonly string[]): string => {
  const file = project.find(files);
  if (file === undefined)
    throw new UsageError(
      `This ${title} app has none of these files: ${files.join(', ')}. Run the command in the folder of the app.`,
    );
  return file;
};

/** All combinations of names and extensions. */
export const withExtensions = (names: readonly string[], extensions: readonly string[]): string[] =>
  names.flatMap((name) => extensions.map((extension) => `${name}.${extension}`));

/** Extensions of scripts. */
export const scriptExtensions = ['ts', 'js', 'mts', 'mjs', 'cjs'];
