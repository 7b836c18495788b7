export const brokenKeys = {
  expired: { label: 'Expired key', explanation: 'A real key that has just expired.' },
  tampered: { label: 'Tampered key', explanation: 'A real key with one character changed.' },
  foreign: { label: 'Another tenant’s key', explanation: 'A real key for another tenant.' },
} as const;

export type BrokenKeyKind = keyof typeof brokenKeys;

interface BrokenKeyProps {
  readonly kind: BrokenKeyKind;
  readonly onBack: () => void;
}

/** What the portal shows for an invalid key, in place of the report. Vitrine never sends one; this frame does. */
export const BrokenKey = ({ kind, onBack }: BrokenKeyProps) => {
  const { label, explanation } = brokenKeys[kind];
  return (
    <section aria-label={label} ref={(section) => section?.scrollIntoView({ block: 'nearest' })}>
      <div className="viewer">
        <button type="button" className="button" onClick={onBack}>
          Back to the report
        </button>
        <span className="muted">{explanation} The portal answers:</span>
      </div>
      <iframe className="broken" title={label} src={`/demo/broken-keys/${kind}`} />
    </section>
  );
};
