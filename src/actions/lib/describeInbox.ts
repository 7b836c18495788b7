import type { InboxDiagnostic } from './inbox/actionInbox.ts';

/** What an operator should know of the store itself, as a sentence. */
export const describeInbox = (diagnostic: InboxDiagnostic): string => {
  switch (diagnostic.kind) {
    case 'quarantined':
      return `The action inbox was damaged (${diagnostic.error}). It was moved to ${diagnostic.movedTo}; a fresh one took over with ${diagnostic.salvaged} unfinished deliveries, ${diagnostic.parked} of them parked.${diagnostic.isComplete ? '' : ` Others may be lost; \`sqlite3 ${diagnostic.movedTo} .recover\` may find them.`}`;
    case 'lost':
      return `Deliveries that the action inbox had stored are gone: ${diagnostic.error}. Take them from a backup of the database if they matter, and let nothing remove or restore it while a host runs.`;
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
