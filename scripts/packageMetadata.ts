/**
 * Origin fields of every published manifest. The owner is a placeholder until the first public release: change it here,
 * then run `npm run format`.
 */
const owner = 'vitrine-embed';
const repository = `https://github.com/${owner}/vitrine`;

/** The generated fields of a package's manifest. */
export const packageMetadata = (folder: string) => ({
  homepage: `${repository}/tree/main/src/${folder}#readme`,
  bugs: { url: `${repository}/issues` },
  repository: { type: 'git', url: `git+${repository}.git`, directory: `src/${folder}` },
  publishConfig: { access: 'public' },
});

/** URL that opens a folder of the repository in an online editor. */
export const onlineEditorUrl = (folder: string): string =>
  `https://stackblitz.com/github/${owner}/vitrine/tree/main/${folder}`;

/** URL of a file in the repository, for links that must work on a package's page. */
export const repositoryFileUrl = (path: string): string => `${repository}/blob/main/${path}`;
