import { generateCode, type ProxifiedModule, parseModule } from 'magicast';
import { addVitePlugin as addPlugin } from 'magicast/helpers';
import { UsageError } from '../../output/usageError.ts';

/**
 * Adds the plugin to a configuration of Vite, on its syntax tree. Throws if it has a mistake, or another shape than an object,
 * defineConfig() with one, or the name of one.
 */
export const addVitePlugin = (file: string, code: string): string => {
  if (code.includes('@vitrine/vite')) return code;
  // The library knows ES modules.
  const isCommonJs = /^module\.exports\s*=/m.test(code);
  const module = parse(file, code.replace(/^module\.exports\s*=/m, 'export default'));
  try {
    addPlugin(module, { from: '@vitrine/vite', imported: 'vitrine', constructor: 'vitrine', index: 0 });
  } catch {
    // The next check sees it.
  }
  const lineTerminator = code.includes('\r\n') ? '\r\n' : '\n';
  // The library drops the end of the file.
  const written = generateCode(module, { lineTerminator }).code.trimEnd() + (/\s*$/.exec(code)?.[0] ?? '');
  // A new list would replace one that a spread brings: beside a spread, only a list with plugins gets ours.
  const list = code.includes('...') ? /\bplugins: \[\s*vitrine\(\),/ : /\bplugins: \[\s*vitrine\(\)/;
  if (!list.test(written))
    throw new UsageError(
      `Nothing was changed. ${file} has no list of plugins that can be changed safely. Add the plugin before the others, and run vitrine init again:\n\nimport { vitrine } from '@vitrine/vite';\nplugins: [vitrine()]`,
    );
  if (!isCommonJs) return written;
  return written
    .replace(/^import (.*) from (.*?);?$/m, 'const $1 = require($2);')
    .replace(/^export default/m, 'module.exports =');
};

const parse = (file: string, code: string): ProxifiedModule => {
  try {
    return parseModule(code);
  } catch (cause) {
    // The parser ends its message with the place: `Unexpected token (3:0)`.
    const [, what, line] = /^(.*) \((\d+):\d+\)$/m.exec(Object(cause).message) ?? [];
    const where = line === undefined ? '' : ` in line ${line}: ${what}`;
    throw new UsageError(
      `Nothing was changed. ${file} has a mistake${where}. Correct it, and run vitrine init again.`,
      { cause },
    );
  }
};
