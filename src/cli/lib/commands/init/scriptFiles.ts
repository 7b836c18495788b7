import { UsageError } from '../../output/usageError.ts';
import type { Project } from './project.ts';

/** The extension of a script that belongs to the app. */
export const extensionOf = ({ isTypeScript }: Project) => (isTypeScript ? 'ts' : 'js');

/** The first of the files that the app has. Throws when it has none of them. */
export const requireFile = (project: Project, title: string, files: readonly string[]): string => {
  const file = project.find(files);
  if (file === undefined)
    throw new UsageError(
      `This ${title} app has none of these files: ${files.join(', ')}. Run the command in the folder of the app.`,
    );
  return file;
};

/** Each name with each extension. */
export const withExtensions = (names: readonly string[], extensions: readonly string[]): string[] =>
  names.flatMap((name) => extensions.map((extension) => `${name}.${extension}`));

/** What the name of a script may end in. */
export const scriptExtensions = ['ts', 'js', 'mts', 'mjs', 'cjs'];
