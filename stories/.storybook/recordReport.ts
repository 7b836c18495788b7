/** Prints a report of a running portal as one self-contained page. The built manual shows it as a recording. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createPortal } from '@vitrine/portal';
import { createFetchHandler } from '@vitrine/server';
import { connectionOf } from '../../examples/demo/backend/connectionOf.ts';

const itemId = 1042;
const portal = await createPortal();
const [tenant] = portal.tenants;
if (tenant === undefined) throw new Error('The portal has no tenant.');

const keys = createFetchHandler({
  portal: connectionOf(tenant),
  viewer: () => ({ userId: 'story.reader@acme.example', roleNames: ['all-regions'] }),
  canView: () => true,
});
const reply = await keys(
  new Request('http://localhost/api/embed/keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
    body: JSON.stringify({ itemId }),
  }),
);
const { key } = (await reply.json()) as { key: string };

/** Node does not resolve `*.localhost`, so it connects to the loopback address. */
const read = async (path: string, options: { method?: string; authorization?: string } = {}) => {
  const { method = 'GET', authorization = '' } = options;
  const { host, port } = new URL(tenant.tenantUrl);
  const sent = request({ host: '127.0.0.1', port, path, method, headers: { host, authorization } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200)
    throw new Error(`The portal responded with status ${answer.statusCode} to ${path.split('?')[0]}.`);
  return text(answer);
};

const page = await read(`/report/${itemId}?ev=${encodeURIComponent(key)}`);
const rows = await read(`/report/${itemId}/export`, {
  method: 'POST',
  authorization: `ReportKey ${key}`,
});

/**
 * The portal's responses to the page's own requests: the key is valid, a click was accepted, and the rows as a file.
 */
const answers = `const rows = ${JSON.stringify(rows)};
window.fetch = async (url) =>
  url.endsWith('/export') ? new Response(rows) : Response.json({ state: 'open', endsInMs: 3600000 });`;

const scriptOf = (attributes: string, code: string): string =>
  `<script${attributes}>${code.replaceAll('</', String.raw`<\/`)}</script>`;

/** The page with its files inlined. */
const inlined = async (): Promise<string> => {
  const [styleTag = '', style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(page) ?? [];
  const [programTag = '', program = ''] = /<script type="module" src="([^"]+)"><\/script>/.exec(page) ?? [];
  const [styles, code] = await Promise.all([read(style), read(program)]);
  return page
    .replace(styleTag, () => `<style>${styles}</style>`)
    .replace(programTag, () => scriptOf('', answers) + scriptOf(' type="module"', code));
};

process.stdout.write(await inlined());
await portal.close();
