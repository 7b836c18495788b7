import type { ReactNode } from 'react';

const corner = { position: 'absolute', insetBlockEnd: 0, insetInlineStart: 0 } as const;

/** A quiet word on a report that is still good. */
export const Note = ({ text }: { readonly text: string }): ReactNode => (
  <output className="vitrine-note" style={corner}>
    {text}
  </output>
);
