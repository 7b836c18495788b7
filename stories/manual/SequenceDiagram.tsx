import type { CSSProperties } from 'react';
import { scrollRegion } from './scrollRegion.ts';
import { parseSequence, type SequenceStep } from './sequence.ts';

interface Row {
  /** Column of the grid where it starts, and the number of columns that it takes. */
  readonly start: number;
  readonly span: number;
  readonly kind: 'note' | 'self' | 'right' | 'left';
  /** Who does it, for those who do not see the arrow. */
  readonly who: string;
}

const rowOf = (step: SequenceStep, names: readonly string[]): Row => {
  if (step.type === 'note') return { start: step.at + 1, span: 1, kind: 'note', who: names[step.at] ?? '' };
  const { from, to } = step;
  const start = Math.min(from, to) + 1;
  // What somebody does alone is written to the right of the lifeline, where there is more room.
  if (from === to)
    return { start, span: Math.min(2, names.length - from), kind: 'self', who: names[from] ?? '' };
  return {
    start,
    span: Math.abs(to - from) + 1,
    kind: from < to ? 'right' : 'left',
    who: `${names[from]} to ${names[to]}`,
  };
};

/** A sequence diagram: a numbered list whose items stand between the lifelines of their participants. */
export const SequenceDiagram = ({ source }: { readonly source: string }) => {
  const { participants, steps } = parseSequence(source);
  return (
    <figure className="manual-sequence" aria-label="Sequence diagram" ref={scrollRegion}>
      <div style={{ '--columns': participants.length } as CSSProperties /* custom properties have no type */}>
        <div aria-hidden>
          {participants.map((name) => (
            <strong key={name}>{name}</strong>
          ))}
        </div>
        <ol>
          {steps.map((step) => {
            const { start, span, kind, who } = rowOf(step, participants);
            const place = { gridColumn: `${start} / span ${span}`, '--span': span } as CSSProperties;
            return (
              <li key={JSON.stringify(step)}>
                <div
                  data-kind={kind}
                  data-reply={(step.type === 'message' && step.isReply) || undefined}
                  style={place}
                >
                  <span>
                    <b>{who}: </b>
                    {step.text}
                  </span>
                </div>
              </li>
            );
          })}
        </ol>
      </div>
    </figure>
  );
};
