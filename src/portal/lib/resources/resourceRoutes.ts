import type { Route } from '../route.ts';
import { apiKeyRoutes } from './apiKeys.ts';
import { auditRoutes } from './audit.ts';
import { directoryRoutes } from './directory.ts';
import { itemRoutes } from './items.ts';
import { linkRoutes } from './links.ts';
import { roleRoutes } from './roles.ts';
import { taskRoutes } from './tasks.ts';
import { unitRoutes } from './units.ts';
import { userRoutes } from './users.ts';

/** The routes of everything that belongs to a tenant. */
export const resourceRoutes: readonly Route[] = [
  ...userRoutes,
  ...roleRoutes,
  ...unitRoutes,
  ...itemRoutes,
  ...taskRoutes,
  ...linkRoutes,
  ...apiKeyRoutes,
  ...directoryRoutes,
  ...auditRoutes,
];
