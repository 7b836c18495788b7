export { vitrine } from './vitrine.ts';

export type { VitrinePluginOptions } from './vitrinePluginOptions.ts';
