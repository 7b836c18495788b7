import { type BrokenKeyKind, brokenKeys } from './BrokenKey.tsx';
import { Outage } from './Outage.tsx';

interface WhatCanGoWrongProps {
  readonly onBreak: (kind: BrokenKeyKind) => void;
}

const kinds = Object.keys(brokenKeys) as BrokenKeyKind[]; // the keys of a constant

/** An outage of the portal, and the responses of its report page to invalid keys. */
export const WhatCanGoWrong = ({ onBreak }: WhatCanGoWrongProps) => (
  <section className="try" aria-labelledby="try-title">
    <h2 id="try-title">See what can go wrong</h2>
    <ul>
      <li>
        <Outage />
      </li>
      {kinds.map((kind) => (
        <li key={kind}>
          <button type="button" className="button" onClick={() => onBreak(kind)}>
            {brokenKeys[kind].label}
          </button>
          <span className="muted">{brokenKeys[kind].explanation}</span>
        </li>
      ))}
    </ul>
  </section>
);
