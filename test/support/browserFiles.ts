/** Bundles the browser files of the portal before the tests, if their sources changed. */
import { browserFolder } from '../../src/portal/lib/assets/assets.ts';

export const setup = (): void => void browserFolder();
