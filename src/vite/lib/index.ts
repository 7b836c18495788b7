export { vitrine } from './vitrine.ts';

export type { DevelopmentViewer, VitrinePluginOptions } from './vitrinePluginOptions.ts';
