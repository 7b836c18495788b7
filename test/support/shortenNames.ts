import { type Plugin, parseSync, Visitor } from 'vite';

/**
 * Names of properties that the modules of `@vitrine/react` read and write among themselves alone, and what its build calls
 * them. A host's bundler shortens variables but no properties: it cannot know that nobody else reads these.
 */
export const internalNames = {
  // A held key
  bornAt: 'b',
  refreshAt: 'r',
  endsAt: 'e',
  blocked: 'o',
  // A living frame
  held: 'h',
  slowAt: 's',
  isLoaded: 'l',
  // A keeper
  tend: 't',
  beat: 'n',
  renew: 'w',
  // A view
  configure: 'c',
  store: 'u',
};

const shortNames = new Map(Object.entries(internalNames));

/** Writes the {@link internalNames} of a module short, and leaves everything else in it as it is. */
export const shorten = (source: string, fileName = 'module.js'): string => {
  const { program, errors } = parseSync(fileName, source);
  const [error] = errors;
  if (error) throw new Error(`${fileName} cannot be read: ${error.message}`);
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  new Visitor({
    MemberExpression({ computed, property }) {
      const text = property.type === 'Identifier' && !computed && shortNames.get(property.name);
      if (text) edits.push({ start: property.start, end: property.end, text });
    },
    Property({ computed, shorthand, key }) {
      const text = key.type === 'Identifier' && !computed && shortNames.get(key.name);
      if (!text) return;
      // `{ held }` becomes `{ h: held }`.
      const [end, more] = shorthand ? [key.start, ': '] : [key.end, ''];
      edits.push({ start: key.start, end, text: text + more });
    },
  }).visit(program);
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((code, { start, end, text }) => code.slice(0, start) + text + code.slice(end), source);
};

/** Shortens the {@link internalNames} in every module of a build. No line moves, so that the source maps hold. */
export const shortenNames = (): Plugin => ({
  name: 'vitrine:shorten-names',
  renderChunk: (source, { fileName }) => ({ code: shorten(source, fileName), map: null }),
});
