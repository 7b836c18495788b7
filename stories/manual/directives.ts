/** What stands in a comment of a Markdown file for something that only the manual can show. */
export type Directive =
  /** `<!-- story: EmbeddedReport Default -->`: a live story of a story file. */
  | { readonly type: 'story'; readonly file: string; readonly name: string }
  /** `<!-- props: EmbeddedReport itemId title -->`: the table of some props. */
  | { readonly type: 'props'; readonly file: string; readonly names: readonly string[] }
  /** `<!-- type: ErrorSlotProps -->`: the declaration of a type, with what is said about it. */
  | { readonly type: 'type'; readonly name: string }
  /** `<!-- chart: size -->`: figures of a benchmark. */
  | { readonly type: 'chart'; readonly name: string };

const parse = (text: string): Directive | undefined => {
  const [, kind, first = '', rest = ''] = /^(story|props|type|chart): (\w+)\s*(.*)$/.exec(text) ?? [];
  if (kind === 'story') return { type: 'story', file: first, name: rest };
  if (kind === 'props') return { type: 'props', file: first, names: rest.split(' ').filter(Boolean) };
  return kind === 'type' || kind === 'chart' ? { type: kind, name: first } : undefined;
};

/** A page in parts: Markdown, and what stands between it. */
export const splitPage = (text: string): (string | Directive)[] =>
  text.split(/^<!-- (.*) -->$/m).flatMap((part, index) => (index % 2 === 0 ? part : (parse(part) ?? [])));
