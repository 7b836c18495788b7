/** `<!-- story: EmbeddedReport Default -->` in a page: a live story of a story file, which only the manual can show. */
export interface StoryDirective {
  readonly file: string;
  readonly name: string;
}

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

/** A page in parts: Markdown and stories. Other comments are left out. */
export const splitPage = (text: string): (string | StoryDirective)[] =>
  escapeText(text)
    .replaceAll(/^<!-- (?:type|props): .* -->$/gm, '')
    .split(/^<!-- story: (\w+ \w+) -->$/m)
    .map((part, index) => {
      const [file = '', name = ''] = part.split(' ');
      return index % 2 === 0 ? part : { file, name };
    });
