/** Strings and comments: a comment sign in a string does not start a comment. */
const stringOrComment = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/.*|\/\*[^]*?\*\//g;

/** Replaces comments by spaces, so that positions stay the same. */
export const blankComments = (text: string): string =>
  text.replace(stringOrComment, (found) => (found.startsWith('/') ? found.replace(/[^\r\n]/g, ' ') : found));

/** The parts that must stay at the start of a script: a shebang, line comments such as `@ts-check`, and directives. */
const preamble =
  /^\uFEFF?(?:#!.*\r?\n)?(?:[ \t]*(?:\/\/.*)?\r?\n)*(?:(?:\s|\/\*[^]*?\*\/)*(['"])use \w+\1;?[^\n]*\r?\n)*/;

/** The position of the first statement that may be an import. */
export const importPlace = (text: string): number => preamble.exec(text)?.[0].length ?? 0;

/** The text before the innermost open bracket at the end of a text. */
export const beforeOpenBracket = (code: string): string => {
  let depth = 0;
  for (let index = code.length - 1; index >= 0; index -= 1) {
    const sign = code.charAt(index);
    if (/[)\]}]/.test(sign)) depth += 1;
    else if (/[([{]/.test(sign) && depth-- === 0) return code.slice(0, index);
  }
  return '';
};
