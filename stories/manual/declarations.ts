/** The declaration of an exported type in a source file, with its documentation. */
const find = (source: string, name: string): string | undefined =>
  new RegExp(
    `^(?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:interface|class|type) ${name}\\b(?:[^;{]*;|[^{\n]*\\{\\}$|[\\s\\S]*?\\n(?:\\}|  [^\\n]*);?\\n(?=\\n|$))`,
    'm',
  ).exec(`${source}\n`)?.[0];

/** The declaration of a type in the source files of `@vitrine/react`. */
const declarationOf = (name: string, sources: readonly string[]): string => {
  for (const source of sources) {
    const found = find(source, name);
    if (found !== undefined) return found.trim().replaceAll(/\{@link ([^}]+)\}/g, '`$1`');
  }
  throw new Error(`@vitrine/react declares no type ${name}.`);
};

/** Replaces each comment `<!-- type: ErrorSlotProps -->` by the declaration of the type, as a Markdown code block. */
export const withDeclarations = (text: string, sources: readonly string[]): string =>
  text.replaceAll(
    /^<!-- type: (\w+) -->$/gm,
    (_comment, name: string) => `\`\`\`typescript\n${declarationOf(name, sources)}\n\`\`\``,
  );
