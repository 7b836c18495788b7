/** A directive in a Markdown comment, for content that only the manual can show. */
export type Directive =
  /** `<!-- story: EmbeddedReport Default -->`: a live story of a story file. */
  | { readonly type: 'story'; readonly file: string; readonly name: string }
  /** `<!-- props: EmbeddedReport itemId title -->`: the table of some props. */
  | { readonly type: 'props'; readonly file: string; readonly names: readonly string[] };

/** Parses a comment; undefined if it is not a directive. */
export const parseDirective = (text: string): Directive | undefined => {
  const [, kind, first = '', rest = ''] = /^(story|props): (\w+)\s*(.*)$/.exec(text) ?? [];
  if (kind === 'story') return { type: 'story', file: first, name: rest };
  return kind === 'props' ? { type: 'props', file: first, names: rest.split(' ') } : undefined;
};

/** Code, link targets, and the tags of our pages, which stay unchanged. */
const literals = /(^```[\s\S]*?^```|`[^`\n]*`|\]\([^)\s]*\)|<\/?(?:a|br|span)\b[^>]*>)/m;

const escapePart = (part: string): string =>
  part.replaceAll(/(?<=\w)_(?=\w)/g, String.raw`\_`).replaceAll(/<(?=[A-Za-z/])/g, '&lt;');

/**
 * Escapes text for the manual's Markdown parser, which reads underscores within a word as emphasis, and omits
 * placeholders such as `<reportId>` as tags.
 */
export const escapeText = (text: string): string =>
  text
    .split(literals)
    .map((part, index) => (index % 2 === 0 ? escapePart(part) : part))
    .join('');

/** A page in parts: Markdown and directives. */
export const splitPage = (text: string): (string | Directive)[] =>
  escapeText(text)
    .split(/^<!-- (.*) -->$/m)
    .flatMap((part, index) => (index % 2 === 0 ? part : (parseDirective(part) ?? [])));
