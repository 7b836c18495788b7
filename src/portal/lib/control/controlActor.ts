import type { Actor } from '../audit/auditEvent.ts';

/** Who the audit log names for what is done from behind. */
export const controlActor: Actor = { userId: null, userEmail: 'control interface', ipAddress: null };
