import { resourceRoutes } from '../resources/resourceRoutes.ts';
import type { Route } from '../route.ts';
import { consoleList } from './consoleList.ts';
import { controlRoutes } from './controlRoutes.ts';

/** Path prefix of the control interface. */
export const controlPrefix = '/_control';

/** The route table of the service and of the control interface. */
export const routes: readonly Route[] = [...resourceRoutes, consoleList, ...controlRoutes];
