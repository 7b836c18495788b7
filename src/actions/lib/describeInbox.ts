import type { InboxDiagnostic } from './inbox/actionInbox.ts';

/** Describes a diagnostic of the store itself, in a sentence. */
export const describeInbox = (diagnostic: InboxDiagnostic): string => {
  switch (diagnostic.kind) {
    case 'lost':
      return `Stored deliveries of the action inbox are lost: ${diagnostic.error}. If you need them, restore them from a backup. Do not remove or restore the database while a host runs.`;
    case 'low-disk':
      return `The disk of the action inbox has ${Math.round(diagnostic.freeBytes / 2 ** 20)} MiB left. When it is full, deliveries are rejected (status 503) and lost. Free some space.`;
    case 'recovered':
      return 'The action inbox works again.';
  }
};
