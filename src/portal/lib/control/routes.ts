import { resourceRoutes } from '../resources/resourceRoutes.ts';
import { type Route, tenantPath } from '../route.ts';
import { consoleList } from './consoleList.ts';
import { controlRoutes } from './controlRoutes.ts';

/** Path prefix of the control interface. */
export const controlPrefix = '/_control';

/** The route table of the service, which API keys open. */
export const serviceTable: readonly Route[] = resourceRoutes.filter(({ scope }) => scope === 'service');

/** The route table of the control interface: what the service has, it offers below each tenant, without an API key. */
export const controlTable: readonly Route[] = [...resourceRoutes, consoleList, ...controlRoutes].map(
  ({ service: _, ...route }) => {
    const path = controlPrefix + (route.scope === 'portal' ? '' : tenantPath) + route.path;
    const refusals = new Set([...(path.includes('{') ? ([404] as const) : []), ...route.refusals]);
    return { ...route, path, refusals: [...refusals] };
  },
);
