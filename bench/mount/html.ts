import { dehydrate, QueryClient } from '@tanstack/react-query';
import { EmbeddedReport, EmbedProvider, embedKeyOptions } from '@vitrine/react';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { MountDesign } from './designs.ts';
import { itemId, keyAnswer } from './site.ts';

const earlyFetch = `
  window.earlyKey = fetch('/api/embed/keys', {
    method: 'POST', credentials: 'same-origin', body: '{"itemId":${itemId}}',
    headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
  });`;

const serverClient = (tenantUrl: string): QueryClient => {
  const client = new QueryClient();
  client.setQueryData(embedKeyOptions(itemId).queryKey, { ...keyAnswer(tenantUrl), requestedAt: Date.now() });
  return client;
};

const render = (queryClient: QueryClient): string =>
  renderToString(
    createElement(EmbedProvider, { queryClient }, createElement(EmbeddedReport, { itemId, title: 'Sales' })),
  );

const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The page of a design, as sent by its server. */
export const pageHtml = (
  { html }: MountDesign,
  {
    scriptPath,
    tenantUrl,
    isRunningAlone,
  }: { scriptPath: string; tenantUrl: string; isRunningAlone: boolean },
): string => {
  const client = html === 'dehydrated' || html === 'rendered' ? serverClient(tenantUrl) : undefined;
  const settings = {
    tenantUrl,
    itemId,
    isRunningAlone,
    dehydratedState: client === undefined ? undefined : dehydrate(client),
  };
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>',
    `<script type="application/json" id="settings">${inScript(settings)}</script>`,
    html === 'early' ? `<script>${earlyFetch}</script>` : '',
    `<script defer src="${scriptPath}"></script></head><body>`,
    `<div id="root">${html === 'rendered' && client !== undefined ? render(client) : ''}</div></body></html>`,
  ].join('');
};
