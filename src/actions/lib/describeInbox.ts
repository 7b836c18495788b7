import type { InboxDiagnostic } from './inbox/actionInbox.ts';

/** Describes a diagnostic of the store itself, in a sentence. */
export const describeInbox = (diagnostic: InboxDiagnostic): string => {
  switch (diagnostic.kind) {
    case 'quarantined':
      return `The action inbox was damaged (${diagnostic.error}). It was moved to ${diagnostic.movedTo} and replaced by a new one with ${diagnostic.salvaged} unfinished deliveries, ${diagnostic.parked} of them parked.${diagnostic.isComplete ? '' : ` Others may be lost; \`sqlite3 ${diagnostic.movedTo} .recover\` may find them.`}`;
    case 'lost':
      return `Stored deliveries of the action inbox are lost: ${diagnostic.error}. If you need them, restore them from a backup. Do not remove or restore the database while a host runs.`;
    case 'spilling':
      return `Cannot write to the action inbox (${diagnostic.error}). Deliveries go to its spill folder meanwhile.`;
    case 'low-disk':
      return `The disk of the action inbox has ${Math.round(diagnostic.freeBytes / 2 ** 20)} MiB left. When it is full, deliveries go to the spill folder; when that is full too, they are rejected.`;
    case 'recovered':
      return diagnostic.imported === 0
        ? 'The action inbox works again.'
        : `The action inbox works again and has imported ${diagnostic.imported} spilled deliveries.`;
    case 'spill-damaged':
      return `A spill file of the action inbox is damaged: ${diagnostic.lost} deliveries are lost, ${diagnostic.imported} were imported. To inspect the file, open ${diagnostic.keptAs}.`;
  }
};
