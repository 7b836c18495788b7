/** One line for each change. All packages share one version, so that nobody needs a list of each other's. */
export const getReleaseLine = async ({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ')}`;
export const getDependencyReleaseLine = async () => '';
