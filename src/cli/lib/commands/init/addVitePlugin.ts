import { generateCode, parseModule } from 'magicast';
import { addVitePlugin as addPlugin } from 'magicast/helpers';

/**
 * Adds the plugin to a configuration of Vite, on its syntax tree; undefined if the configuration has another shape than an
 * object, defineConfig() with one, or the name of one.
 */
export const addVitePlugin = (code: string): string | undefined => {
  if (code.includes('@vitrine/vite')) return code;
  // The library knows ES modules.
  const isCommonJs = /^module\.exports\s*=/m.test(code);
  const module = parseModule(code.replace(/^module\.exports\s*=/m, 'export default'));
  try {
    addPlugin(module, { from: '@vitrine/vite', imported: 'vitrine', constructor: 'vitrine', index: 0 });
  } catch {
    return undefined;
  }
  // The library drops the end of the file.
  const written = generateCode(module).code.trimEnd() + (/\s*$/.exec(code)?.[0] ?? '');
  if (!/\bplugins: \[\s*vitrine\(\)/.test(written)) return undefined;
  return isCommonJs
    ? written
        .replace(/^import (.*) from (.*?);?$/m, 'const $1 = require($2);')
        .replace(/^export default/m, 'module.exports =')
    : written;
};
