export { type VitrinePluginOptions, vitrine } from './vitrine.ts';
