import { generateCode, parseModule } from 'magicast';
import { addVitePlugin as addPlugin } from 'magicast/helpers';
import { UsageError } from '../../output/usageError.ts';

/** What to do where the plugin cannot be added. */
export const pluginAdvice =
  "add the plugin before the others, and run vitrine init again:\n\nimport { vitrine } from '@vitrine/vite';\nplugins: [vitrine()]";

/**
 * Adds the plugin to a configuration of Vite, on its syntax tree. Throws if it has a mistake, or another shape than an object,
 * defineConfig() with one, or the name of one.
 */
export const addVitePlugin = (file: string, code: string): string => {
  if (code.includes('@vitrine/vite')) return code;
  // The library knows ES modules.
  const isCommonJs = /^module\.exports\s*=/m.test(code);
  // A new list would replace one that a spread brings: beside a spread, only a list with plugins gets ours.
  const list = code.includes('...') ? /\bplugins: \[\s*vitrine\(\),/ : /\bplugins: \[\s*vitrine\(\)/;
  try {
    // A tab counts as one space, as where the library writes it.
    const module = parseModule(code.replace(/^module\.exports\s*=/m, 'export default'), { tabWidth: 1 });
    addPlugin(module, { from: '@vitrine/vite', imported: 'vitrine', constructor: 'vitrine', index: 0 });
    const lineTerminator = code.includes('\r\n') ? '\r\n' : '\n';
    // The library drops the end of the file.
    const written = generateCode(module, { lineTerminator }).code.trimEnd() + (/\s*$/.exec(code)?.[0] ?? '');
    if (!list.test(written)) throw new TypeError('no list of plugins');
    if (!isCommonJs) return written;
    return written
      .replace(/^import (.*) from (.*?);?$/m, 'const $1 = require($2);')
      .replace(/^export default/m, 'module.exports =');
  } catch (cause) {
    const reason =
      cause instanceof SyntaxError
        ? `a mistake: ${cause.message}`
        : 'no list of plugins that can be changed safely';
    throw new UsageError(`Nothing was changed. ${file} has ${reason}. Correct it, or ${pluginAdvice}`, {
      cause,
    });
  }
};
