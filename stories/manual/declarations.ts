const sources = import.meta.glob<string>('../../src/react/lib/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The declaration of an exported type in a source file, with its documentation. */
const find = (source: string, name: string): string | undefined =>
  new RegExp(
    `^(?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:interface|class|type) ${name}\\b(?:[^;{]*;|[\\s\\S]*?\\n(?:\\}|  [^\\n]*);?\\n(?=\\n|$))`,
    'm',
  ).exec(`${source}\n`)?.[0];

/** The declaration of a type of `@vitrine/react`, as it is in the source. */
export const declarationOf = (name: string): string => {
  for (const source of Object.values(sources)) {
    const found = find(source, name);
    if (found !== undefined) return found.trim().replaceAll(/\{@link ([^}]+)\}/g, '`$1`');
  }
  throw new Error(`@vitrine/react declares no type ${name}.`);
};
