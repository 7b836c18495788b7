export { default } from './vitrine';
