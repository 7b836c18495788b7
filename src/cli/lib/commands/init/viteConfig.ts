import { type ASTNode, generateCode, parseModule } from 'magicast';
import { addVitePlugin as addPlugin } from 'magicast/helpers';
import { UsageError } from '../../output/usageError.ts';

/** What to do where the plugin cannot be added. */
export const pluginAdvice =
  "add the plugin before the others, and run vitrine init again:\n\nimport { vitrine } from '@vitrine/vite';\nplugins: [vitrine()]";

/** What a function of a configuration returns, unless it may also return something else. */
const returnedBy = (made: ASTNode | undefined): ASTNode | null | undefined => {
  const body = made !== undefined && 'async' in made && 'body' in made ? made.body : undefined;
  if (body === undefined || body.type !== 'BlockStatement') return body;
  const [last, ...above] = body.body.toReversed();
  const isPlain = above.every(({ type }) => /^(?:Variable|Expression)/.test(type));
  return isPlain && last?.type === 'ReturnStatement' ? last.argument : undefined;
};

/**
 * Adds the plugin to a configuration of Vite, on its syntax tree. Throws if it has a mistake, or another shape than an object,
 * defineConfig() with one, the name of one, or a function that returns one.
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
    // The tree of a module is its program.
    const { body } = module.$ast as Extract<ASTNode, { type: 'Program' }>;
    const statement = body.find((one) => one.type === 'ExportDefaultDeclaration');
    const exported = statement?.declaration;
    const literal = returnedBy(exported?.type === 'CallExpression' ? exported.arguments[0] : exported);
    // The library knows no functions: meanwhile, the module exports what this one returns.
    if (statement && literal?.type === 'ObjectExpression') statement.declaration = literal;
    addPlugin(module, { from: '@vitrine/vite', imported: 'vitrine', constructor: 'vitrine', index: 0 });
    if (statement && exported) statement.declaration = exported;
    const lineTerminator = code.includes('\r\n') ? '\r\n' : '\n';
    // The library drops the end of the file.
    const written = generateCode(module, { lineTerminator }).code.trimEnd() + (/\s*$/.exec(code)?.[0] ?? '');
    if (!list.test(written)) throw new TypeError('no list of plugins');
    if (!isCommonJs) return written;
    const required = written.replace(/^import (.*) from (.*?);?$/m, 'const $1 = require($2);');
    return required.replace(/^export default/m, 'module.exports =');
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : 'no list of plugins to change safely';
    throw new UsageError(`${file} was not changed: ${reason}. Change it, or ${pluginAdvice}`, { cause });
  }
};
