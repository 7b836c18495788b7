import type { Actor } from '../audit/writeAuditRecord.ts';
import type { OperationCall } from '../service/operation.ts';

/** The actor of a call in the audit log: the user that the API key was issued to, else the name of the key. */
export const actorOf = ({ apiKey, request }: OperationCall<unknown, unknown>): Actor => ({
  userId: apiKey.userId,
  userEmail: apiKey.userEmail ?? `API key "${apiKey.name}"`,
  ipAddress: request.ipAddress,
});
