import type { InboxDiagnostic } from './inbox/actionInbox.ts';

type Quarantined = Extract<InboxDiagnostic, { readonly kind: 'quarantined' }>;

const describeLoss = ({ unreadable, mayMissMore, movedTo }: Quarantined): string => {
  if (unreadable === 0 && !mayMissMore) return '';
  const more = unreadable === 0 ? [] : [`${unreadable} more could not be read`];
  const others = mayMissMore ? ['others may be lost'] : [];
  const lost = [...more, ...others].join(', and ');
  return ` ${lost.replace(/^o/, 'O')}; \`sqlite3 ${movedTo} .recover\` may find them.`;
};

/** What an operator should know of the store itself, as a sentence. */
export const describeInbox = (diagnostic: InboxDiagnostic): string => {
  switch (diagnostic.kind) {
    case 'quarantined':
      return `The action inbox was damaged (${diagnostic.error}). It was moved to ${diagnostic.movedTo}; a fresh one took over with ${diagnostic.salvaged} unfinished deliveries, ${diagnostic.parked} of them parked.${describeLoss(diagnostic)}`;
    case 'spilling':
      return `The action inbox cannot be written (${diagnostic.error}); deliveries go to its spill folder until it can.`;
    case 'low-disk':
      return `The disk of the action inbox has ${Math.round(diagnostic.freeBytes / 2 ** 20)} MiB left. When it is full, deliveries go to the spill folder, and are rejected when that is full too.`;
    case 'recovered':
      return diagnostic.imported === 0
        ? 'The action inbox works again.'
        : `The action inbox works again and has imported ${diagnostic.imported} spilled deliveries.`;
    case 'spill-damaged':
      return `A spill file of the action inbox is damaged and ${diagnostic.lost} deliveries in it are lost; ${diagnostic.imported} others were imported. It is kept as ${diagnostic.keptAs} for you to look at.`;
  }
};
