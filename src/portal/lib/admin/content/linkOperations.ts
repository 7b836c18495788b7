import { defineWholeList } from '../wholeList.ts';
import { linkSchema } from './linkSchema.ts';
import { readLinks } from './readLinks.ts';

/** `GET /v1/links` (docs/interface.md#4.4): each minted key is one until it ends. */
export const listLinks = defineWholeList({
  tag: 'Items, tasks, links',
  section: '4.4',
  permission: 'Administration.Links',
  path: '/v1/links',
  operationId: 'listLinks',
  summary: 'All active Report Keys and Slideshow links.',
  row: linkSchema,
  read: ({ db, clock }, tenant, cut) => readLinks(db, { tenantId: tenant.id, nowMs: clock.now() }, cut),
});
