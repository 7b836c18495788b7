import type { ItemInput } from '@vitrine/contract/service';
import type { CallOptions } from '../http/http.ts';
import type { PortalList } from '../paging/paging.ts';
import { type Item, itemReader } from './item.ts';
import { createItemResolver, type ItemResolver } from './itemResolver.ts';
import type { PortalCall } from './portalCall.ts';
import { listAndCreate, type ResourceTools } from './resourceTools.ts';

/** Items of the tenant: imported reports, dashboards and apps (docs/interface.md#4.4). The interface cannot change or remove them. */
export interface ItemsResource {
  /** GET /v1/items: all items. If the service caps the list, further pages are read. */
  readonly list: (options?: CallOptions) => PortalList<Item>;
  /** POST /v1/items: imports an item. Sent once. */
  readonly create: (input: ItemInput, options?: CallOptions) => PortalCall<Item>;
  /** Translates between the number and the GUID of an item. The resolver caches the list. */
  readonly resolver: ItemResolver;
}

/** The items of a client. */
export const createItems = (tools: ResourceTools): ItemsResource => {
  const resource = listAndCreate<Item, ItemInput>(tools, { path: '/v1/items', reader: itemReader });
  return { ...resource, resolver: createItemResolver(() => resource.list()) };
};
