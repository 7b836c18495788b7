import { element } from '../../ui/element.ts';
import { ask, type Row, rowsOf, shown } from './api.ts';
import { clockView } from './clockView.ts';
import { faultsView } from './faultsView.ts';
import { deliveriesView, type LiveView, requestsView } from './logViews.ts';
import { button, select } from './parts.ts';
import { previewView } from './previewView.ts';
import { tenantView } from './tenantView.ts';

const views = ['tenant', 'preview', 'requests', 'deliveries', 'clock', 'faults'] as const;
type View = (typeof views)[number];
const titles: Readonly<Record<View, string>> = {
  tenant: 'Tenant',
  preview: 'Preview',
  requests: 'Requests',
  deliveries: 'Webhooks',
  clock: 'Clock',
  faults: 'Faults',
};

/** `#preview/acme/1042`: view, tenant. */
const readHash = (): { readonly view: View; readonly tenancyName: string | undefined } => {
  const [name = '', tenancyName] = window.location.hash.slice(1).split('/');
  return { view: views.find((view) => view === name) ?? 'tenant', tenancyName };
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'Something failed.');

const start = async (root: HTMLElement) => {
  const tenants = rowsOf(await ask('GET', '/tenants'));
  const message = element('p', { class: 'message', attributes: { role: 'status' } });
  const report = (text: string) => {
    message.textContent = text;
  };
  const content = element('main');
  const chosen = select(
    tenants.map((tenant) => [shown(tenant['tenancyName']), shown(tenant['tenancyName'])]),
  );
  chosen.setAttribute('aria-label', 'Tenant');
  const nav = element('nav', { attributes: { 'aria-label': 'Views' } });
  let live: LiveView | undefined;

  const tenantNow = (): Row =>
    tenants.find((tenant) => tenant['tenancyName'] === chosen.value) ?? tenants[0] ?? {};
  const makeView = (view: View): LiveView | HTMLElement => {
    switch (view) {
      case 'tenant':
        return tenantView(tenantNow());
      case 'preview':
        return previewView(tenantNow(), report);
      case 'requests':
        return requestsView();
      case 'deliveries':
        return deliveriesView();
      case 'clock':
        return clockView(report);
      case 'faults':
        return faultsView(() => tenants.map((tenant) => shown(tenant['tenancyName'])), report);
    }
  };
  const draw = () => {
    const { view, tenancyName } = readHash();
    if (tenancyName !== undefined && tenants.some((tenant) => tenant['tenancyName'] === tenancyName))
      chosen.value = tenancyName;
    report('');
    const made = makeView(view);
    live = made instanceof HTMLElement ? undefined : made;
    content.replaceChildren(message, made instanceof HTMLElement ? made : made.root);
    void live?.refresh();
    const hadFocus = nav.contains(document.activeElement);
    nav.replaceChildren(
      ...views.map((name) =>
        element('a', {
          text: titles[name],
          attributes: {
            href: `#${name}/${chosen.value}`,
            ...(name === view && { 'aria-current': 'page' }),
          },
        }),
      ),
      element('a', { text: 'API', attributes: { href: '/docs' } }),
    );
    if (hadFocus) nav.querySelector<HTMLElement>('[aria-current]')?.focus();
  };
  // A button that waits for nothing leaves what the portal said to this.
  window.addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    report(event.reason instanceof TypeError ? 'The portal does not answer.' : messageOf(event.reason));
  });
  chosen.addEventListener('change', () => {
    window.location.hash = `#${readHash().view}/${chosen.value}`;
  });
  window.addEventListener('hashchange', draw);
  root.replaceChildren(
    element('header', {
      children: [
        element('h1', { text: 'Portal' }),
        chosen,
        nav,
        button('Reset to seed', () => {
          if (!window.confirm('Put every tenant back to its seed? What was made since is lost.')) return;
          void ask('POST', '/reset').then(() => {
            window.location.reload();
            return undefined;
          });
        }),
      ],
    }),
    content,
  );
  draw();
  const events = new EventSource('/_control/events');
  // Opened again, it may have missed something.
  for (const name of ['open', 'request', 'delivery', 'clock'])
    events.addEventListener(name, () => void live?.refresh());
  window.setInterval(() => {
    if (readHash().view === 'clock') void live?.refresh();
  }, 1000);
  document.documentElement.dataset['painted'] = '';
};

const root = document.querySelector('#console');
if (root instanceof HTMLElement) await start(root);
