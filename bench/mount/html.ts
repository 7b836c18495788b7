import { dehydrate, QueryClient } from '@tanstack/react-query';
import { embedKeyOptions } from '@vitrine/react';
import type { MountDesign } from './designs.ts';
import { itemId, keyAnswer } from './site.ts';

const dehydrated = (tenantUrl: string) => {
  const client = new QueryClient();
  client.setQueryData(embedKeyOptions(itemId).queryKey, { ...keyAnswer(tenantUrl), requestedAt: Date.now() });
  return dehydrate(client);
};

const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The page of a design, as sent by its server. */
export const pageHtml = ({ isHydrated, page }: MountDesign, tenantUrl: string): string => {
  const settings = { tenantUrl, itemId, dehydratedState: isHydrated ? dehydrated(tenantUrl) : undefined };
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>',
    `<script type="application/json" id="settings">${inScript(settings)}</script>`,
    `<script defer src="/${page}.js"></script></head><body><div id="root"></div></body></html>`,
  ].join('');
};
