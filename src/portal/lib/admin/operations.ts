import { listAuditLogs } from '../audit/auditOperations.ts';
import type { Operation } from '../service/operation.ts';
import { itemOperations } from './content/itemOperations.ts';
import { listLinks } from './content/listLinks.ts';
import { listTasks } from './content/listTasks.ts';
import { unitOperations } from './organizationUnits/unitOperations.ts';
import { roleOperations } from './roles/roleOperations.ts';
import { userOperations } from './users/userOperations.ts';

/** All operations under `/v1`, for routing, validation and documentation. */
export const operations: readonly Operation[] = [
  ...userOperations,
  ...roleOperations,
  ...unitOperations,
  ...itemOperations,
  listTasks,
  listLinks,
  listAuditLogs,
];
