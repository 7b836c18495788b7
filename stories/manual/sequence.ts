/** One line of a sequence diagram. Participants are counted from 0. */
export type SequenceStep =
  | { readonly type: 'note'; readonly at: number; readonly text: string }
  | {
      readonly type: 'message';
      readonly from: number;
      readonly to: number;
      readonly text: string;
      /** A dashed arrow. */
      readonly isReply: boolean;
    };

/** A parsed Mermaid sequence diagram. */
export interface Sequence {
  readonly participants: readonly string[];
  readonly steps: readonly SequenceStep[];
}

/**
 * Parses a Mermaid sequence diagram of participants, messages and notes over one participant. Throws on any other line,
 * so that the manual never shows less than GitHub.
 */
export const parseSequence = (source: string): Sequence => {
  const ids: string[] = [];
  const participants: string[] = [];
  const steps: SequenceStep[] = [];
  const placeOf = (id = ''): number => {
    const place = ids.indexOf(id);
    if (place < 0) throw new Error(`The sequence diagram has no participant "${id}".`);
    return place;
  };
  const read = (line: string): boolean => {
    const [, id, name = id] = /^(?:participant|actor) (\w+)(?: as (.+))?$/.exec(line) ?? [];
    if (id !== undefined && name !== undefined) return ids.push(id) === participants.push(name);
    const [, over, note] = /^Note over (\w+): (.+)$/.exec(line) ?? [];
    if (note !== undefined) return steps.push({ type: 'note', at: placeOf(over), text: note }) > 0;
    const [, from, arrow, to, text] = /^(\w+)(--?)>>(\w+): (.+)$/.exec(line) ?? [];
    if (text === undefined) return false;
    const [first, last] = [placeOf(from), placeOf(to)];
    return steps.push({ type: 'message', from: first, to: last, text, isReply: arrow === '--' }) > 0;
  };
  const [first, ...lines] = source.trim().split('\n');
  if (first !== 'sequenceDiagram') throw new Error(`"${first}" is not a sequence diagram.`);
  for (const line of lines)
    if (!read(line.trim()))
      throw new Error(`The sequence diagram has a line that is not understood: ${line}`);
  return { participants, steps };
};
