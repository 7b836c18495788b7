/** The owner is a placeholder until the first public release: replace it in all files then. */
const owner = 'vitrine-embed';

/** URL of the repository. */
export const repositoryUrl = `https://github.com/${owner}/vitrine`;

/** URL that opens a folder of the repository in an online editor. */
export const onlineEditorUrl = (folder: string): string =>
  `https://stackblitz.com/github/${owner}/vitrine/tree/main/${folder}`;

/** URL of a file in the repository, for links that must work on a package's page. */
export const repositoryFileUrl = (path: string): string => `${repositoryUrl}/blob/main/${path}`;
