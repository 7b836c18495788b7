import { dehydrate, QueryClient } from '@tanstack/react-query';
import { embedKeyOptions } from '@vitrine/react';
import { renderToString } from 'react-dom/server';
import { ServerRendered } from './ServerRendered.tsx';

/** Renders the page for the viewer of the cookie, with a key in its HTML. */
export const renderServerPage = async (
  template: string,
  { url, cookie }: { readonly url: string; readonly cookie: string },
): Promise<string> => {
  const queryClient = new QueryClient();
  const ask: typeof fetch = (path, init) =>
    fetch(new URL(path instanceof Request ? path.url : path, url), init);
  await queryClient.prefetchQuery(embedKeyOptions(1042, { fetch: ask, headers: () => ({ cookie }) }));
  const state = dehydrate(queryClient);
  const html = renderToString(<ServerRendered state={state} />);
  const json = JSON.stringify(state).replaceAll('<', '\\u003c');
  const script = `<script type="application/json" id="server-state">${json}</script>`;
  return template.replace('<div id="root"></div>', `<div id="root">${html}</div>${script}`);
};
