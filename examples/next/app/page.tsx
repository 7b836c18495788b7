export { default } from './vitrine/page';
