/** Made by `stories/.storybook/searchPlugin.ts`. */
declare module 'virtual:search-index' {
  const entries: readonly Readonly<Record<'target' | 'page' | 'heading' | 'words', string>>[];
  export default entries;
}
