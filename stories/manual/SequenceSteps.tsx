interface Step {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** The messages of a Mermaid sequence diagram, with the names that its participants have. */
export const stepsOf = (source: string): (Step | string)[] => {
  const names = new Map(
    [...source.matchAll(/^\s*(?:participant|actor) (\w+)(?: as (.*))?$/gm)].map(([, id = '', name]) => [
      id,
      name ?? id,
    ]),
  );
  const nameOf = (id = ''): string => names.get(id) ?? id;
  return source.split('\n').flatMap((line) => {
    const [, note] = /^\s*Note over [^:]*: (.*)$/.exec(line) ?? [];
    if (note !== undefined) return note;
    const [, from, to, text] = /^\s*(\w+)-{1,2}>>(\w+): (.*)$/.exec(line) ?? [];
    return text === undefined ? [] : { from: nameOf(from), to: nameOf(to), text };
  });
};

/** A sequence diagram as numbered steps, which every screen and screen reader can show. */
export const SequenceSteps = ({ source }: { readonly source: string }) => (
  <ol className="manual-steps">
    {stepsOf(source).map((step) =>
      typeof step === 'string' ? (
        <li key={step}>{step}</li>
      ) : (
        <li key={JSON.stringify(step)}>
          <strong>{step.from === step.to ? step.from : `${step.from} → ${step.to}`}</strong>: {step.text}
        </li>
      ),
    )}
  </ol>
);
