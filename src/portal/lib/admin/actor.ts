import type { Actor } from '../audit/auditEvent.ts';
import type { OperationCall } from '../service/operation.ts';

/** Who the audit log names for a call: the user the API key was issued to, or else the key by its name. */
export const actorOf = ({ apiKey, request }: OperationCall<unknown, unknown>): Actor => ({
  userId: apiKey.userId,
  userEmail: apiKey.userEmail ?? `API key "${apiKey.name}"`,
  ipAddress: request.ipAddress,
});
