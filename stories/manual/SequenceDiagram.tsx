import type { CSSProperties } from 'react';
import { scrollRegion } from './scrollRegion.ts';
import { parseSequence, type SequenceStep } from './sequence.ts';

interface Row {
  /** Grid column where it starts, and number of columns. */
  readonly start: number;
  readonly span: number;
  readonly kind: 'note' | 'self' | 'right' | 'left';
  /** Sender and receiver, for screen readers. */
  readonly who: string;
}

const rowOf = (step: SequenceStep, names: readonly string[]): Row => {
  if (step.type === 'note') return { start: step.at + 1, span: 1, kind: 'note', who: names[step.at] ?? '' };
  const { from, to } = step;
  const start = Math.min(from, to) + 1;
  // A message to oneself is to the right of the lifeline, where there is more room.
  if (from === to)
    return { start, span: Math.min(2, names.length - from), kind: 'self', who: names[from] ?? '' };
  return {
    start,
    span: Math.abs(to - from) + 1,
    kind: from < to ? 'right' : 'left',
    who: `${names[from]} to ${names[to]}`,
  };
};

/** A sequence diagram: a numbered list whose items are between the lifelines of their participants. */
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
