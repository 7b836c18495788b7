import { createServer, request } from 'node:http';
import { createPortal } from '@vitrine/portal';
import { closeServer, listen } from '../../support/standInPortal.ts';

/** The headers of a portal whose reports may open on every isolated page; docs/guides/react.md lists them. */
const optIn = {
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
};

const reportPage = (script: string) =>
  `<!doctype html><title>A report</title><input id="search"><div style="height: 1500px"></div><p id="deep">Figures</p>
  <script>${script}</script>`;

/** Starts a portal behind a proxy that opts in to isolated pages. */
export const servePortal = async () => {
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    if (result.outage !== undefined && url?.startsWith('/report/')) {
      if (result.outage === 'bad gateway') response.writeHead(502).end('<h1>Bad Gateway</h1>');
      else response.destroy();
      return;
    }
    if (result.reportScript !== undefined && url?.startsWith('/report/')) {
      response.setHeader('content-type', 'text/html');
      response.end(reportPage(result.reportScript));
      return;
    }
    const { hostname, port } = new URL(portal.url);
    const passed = request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...(result.hasOptedIn && optIn) });
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  const { port } = new URL(await listen(server));
  const portal = await createPortal({ tenantUrlTemplate: `http://{tenant}.localhost:${port}` });
  const result = {
    portal,
    hasOptedIn: false,
    /** What happens to requests for report pages: a proxy answers 502, or the connection ends without a response. Default: nothing. */
    outage: undefined as 'bad gateway' | 'no response' | undefined,
    /** A script for the page of every report, which then has a search field at the top. Default: the portal's own pages. */
    reportScript: undefined as string | undefined,
    close: async (): Promise<void> => {
      await closeServer(server);
      await portal.close();
    },
  };
  return result;
};
