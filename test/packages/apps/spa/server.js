import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createActions, frameSources, portalFromEnv, sqliteInbox, vitrine } from '@vitrine/express';
import express from 'express';

const portal = portalFromEnv();
const actions = createActions({
  portal,
  secrets: process.env.WEBHOOK_SECRET,
  inbox: sqliteInbox(':memory:'),
  audience: 'clicker',
});
const app = express();
const embed = vitrine({
  portal,
  actions,
  viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
  canView: () => true,
});
app.use(/^\/api\/embed(-\d+)?/, embed);

const setStrictHeaders = (response, nonce) => {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "connect-src 'self'",
    `frame-src ${frameSources(portal).join(' ')}`,
    "base-uri 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  response.set('content-security-policy', policy.join('; '));
  response.set('cross-origin-opener-policy', 'same-origin');
};

app.get('/', (request, response) => {
  const nonce = randomBytes(16).toString('base64');
  const { policy, base, copies } = request.query;
  if (policy) setStrictHeaders(response, nonce);
  if (policy === 'isolated') response.set('cross-origin-embedder-policy', 'require-corp');
  const html = readFileSync('dist/index.html', 'utf8')
    .replaceAll(/<(script|link) /g, `<$1 nonce="${nonce}" `)
    .replace('<!--base-->', base === undefined ? '' : '<base href="/" />')
    // With another path a browser loads the same modules again: a second copy of them.
    .replace(
      /(<script .*? src=")\.\/([^"]+)("><\/script>)/,
      copies === undefined ? '$&' : '$&$1./second/$2$3',
    );
  response.type('html').send(html);
});
const files = express.static('dist', { index: false });
app.use(files);
app.use('/second', files);

const server = app.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://localhost:${server.address().port}\n`),
);
