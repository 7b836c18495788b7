import { Outage } from './Outage.tsx';

const kinds = [
  { kind: 'expired', label: 'Expired', explanation: 'A real key that has just expired.' },
  { kind: 'tampered', label: 'Tampered', explanation: 'A real key with one character changed.' },
  { kind: 'foreign', label: 'Another tenant’s', explanation: 'A real key for another tenant.' },
] as const;

/** An outage of the portal, and the responses of its report page to invalid keys. */
export const WhatCanGoWrong = () => (
  <section className="try" aria-labelledby="try-title">
    <h2 id="try-title">See what can go wrong</h2>
    <ul>
      <li>
        <Outage />
      </li>
      {kinds.map(({ kind, label, explanation }) => (
        <li key={kind}>
          <a className="button" href={`/demo/broken-keys/${kind}`} target="_blank" rel="noreferrer">
            {label} key
          </a>
          <span className="muted">{explanation}</span>
        </li>
      ))}
    </ul>
  </section>
);
