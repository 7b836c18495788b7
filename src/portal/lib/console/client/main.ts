import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { element } from '../../ui/element.ts';
import { ask, rowsOf } from './ask.ts';
import { clockView } from './clockView.ts';
import { embedView } from './embedView.ts';
import { faultsView } from './faultsView.ts';
import { lists } from './lists.ts';
import { listView } from './listView.ts';
import { deliveriesView, type LiveView, requestsView } from './logViews.ts';
import { overviewView } from './overviewView.ts';
import { previewView } from './previewView.ts';
import { stateView } from './stateView.ts';
import { button, select } from './uiParts.ts';

/** The menu: views of the chosen tenant, and of the whole portal. */
const groups: readonly (readonly [
  title: string,
  views: readonly (readonly [name: string, title: string])[],
])[] = [
  ['Tenant', [['overview', 'Overview'], ...lists.map((list) => [list.name, list.title] as const)]],
  [
    'Reports',
    [
      ['preview', 'Preview'],
      ['embed', 'Embed'],
    ],
  ],
  [
    'Traffic',
    [
      ['requests', 'Requests'],
      ['deliveries', 'Webhooks'],
    ],
  ],
  [
    'Portal',
    [
      ['clock', 'Clock'],
      ['faults', 'Faults'],
      ['state', 'State'],
    ],
  ],
];
const names = groups.flatMap(([, views]) => views.map(([name]) => name));

interface Place {
  /** From the URL. */
  readonly asked: string;
  readonly view: string;
  readonly tenancyName: string | undefined;
  readonly rest: string | undefined;
}

/** `#preview/acme/1042`: view, tenant, and the subject of the view. */
const readHash = (): Place => {
  const [name = '', tenancyName, rest] = window.location.hash.slice(1).split('/');
  return { asked: name, view: names.includes(name) ? name : 'overview', tenancyName, rest };
};

/** Messages about unknown parts of the URL. */
const unknownOf = ({ asked, view, tenancyName }: Place, shownTenant: string): string =>
  [
    ...(asked === view || asked === '' ? [] : [`There is no page "${asked}".`]),
    ...(tenancyName === undefined || tenancyName === shownTenant
      ? []
      : [`There is no tenant "${tenancyName}"; this is ${shownTenant}.`]),
  ].join(' ');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'Something failed.');

// The type of describeTenants.
const readTenants = async () => rowsOf(await ask('GET', '/tenants')) as unknown as readonly PortalTenant[];

const start = async (root: HTMLElement) => {
  let tenants = await readTenants();
  const message = element('p', { class: 'message', attributes: { role: 'status' } });
  const showMessage = (text: string) => {
    message.textContent = text;
  };
  const content = element('main', { attributes: { tabindex: '-1' } });
  const skip = button('Skip to content', () => content.focus());
  skip.classList.add('skip');
  const chosen = select(tenants.map(({ tenancyName }) => [tenancyName, tenancyName]));
  chosen.setAttribute('aria-label', 'Tenant');
  const nav = element('nav', { attributes: { 'aria-label': 'Views', id: 'views' } });
  const menu = button('Menu', () => showMenu(!nav.classList.contains('open')));
  menu.classList.add('menu');
  menu.setAttribute('aria-controls', 'views');
  const showMenu = (isOpen: boolean) => {
    nav.classList.toggle('open', isOpen);
    menu.setAttribute('aria-expanded', String(isOpen));
  };
  showMenu(false);
  nav.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !nav.classList.contains('open')) return;
    showMenu(false);
    menu.focus();
  });
  let live: LiveView | undefined;

  const makeView = ({ view, rest }: Place, tenant: PortalTenant): LiveView | HTMLElement => {
    const list = lists.find(({ name }) => name === view);
    if (list !== undefined) return listView(tenant.tenancyName, list);
    switch (view) {
      case 'preview':
        return previewView(tenant, rest);
      case 'embed':
        return embedView(tenant, rest);
      case 'requests':
        return requestsView();
      case 'deliveries':
        return deliveriesView();
      case 'clock':
        return clockView(showMessage);
      case 'faults':
        return faultsView(() => tenants.map(({ tenancyName }) => tenancyName), showMessage);
      case 'state':
        return stateView(showMessage);
      default:
        return overviewView(tenant);
    }
  };
  const drawNav = (view: string) => {
    const hadFocus = nav.contains(document.activeElement);
    nav.replaceChildren(
      ...groups.map(([title, views]) =>
        element('div', {
          class: 'group',
          children: [
            element('h2', { text: title }),
            ...views.map(([name, text]) =>
              element('a', {
                text,
                attributes: {
                  href: `#${name}/${chosen.value}`,
                  ...(name === view && { 'aria-current': 'page' }),
                },
              }),
            ),
            ...(title === 'Portal' ? [element('a', { text: 'API', attributes: { href: '/docs' } })] : []),
          ],
        }),
      ),
    );
    if (hadFocus) nav.querySelector<HTMLElement>('[aria-current]')?.focus();
  };
  const draw = () => {
    const place = readHash();
    if (tenants.some(({ tenancyName }) => tenancyName === place.tenancyName))
      chosen.value = place.tenancyName ?? '';
    const tenant = tenants.find(({ tenancyName }) => tenancyName === chosen.value);
    if (tenant === undefined) return;
    const unknown = unknownOf(place, tenant.tenancyName);
    if (unknown !== '') showMessage(unknown);
    const made = makeView(place, tenant);
    live = made instanceof HTMLElement ? undefined : made;
    content.replaceChildren(message, made instanceof HTMLElement ? made : made.root);
    void live?.refresh();
    showMenu(false);
    drawNav(place.view);
  };
  /** Items and roles may have been edited after the tenants were read. */
  const redraw = async () => {
    tenants = await readTenants();
    draw();
  };
  // Reports errors of buttons that do not await their call.
  window.addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    showMessage(
      event.reason instanceof TypeError ? 'The portal is not responding.' : messageOf(event.reason),
    );
  });
  chosen.addEventListener('change', () => {
    window.location.hash = `#${readHash().view}/${chosen.value}`;
  });
  window.addEventListener('hashchange', () => {
    // At once: what is said while the tenants are read is about what was done last, and stays.
    showMessage('');
    void redraw();
  });
  root.replaceChildren(
    element('header', {
      children: [skip, element('h1', { text: 'Portal' }), chosen, menu],
    }),
    element('div', { class: 'body', children: [nav, content] }),
  );
  draw();
  const events = new EventSource('/_control/events');
  // A reopened stream may have missed events.
  for (const name of ['open', 'request', 'delivery', 'clock'])
    events.addEventListener(name, () => void live?.refresh());
  window.setInterval(() => {
    if (readHash().view === 'clock') void live?.refresh();
  }, 1000);
  document.documentElement.dataset['painted'] = '';
};

const root = document.querySelector('#console');
if (root instanceof HTMLElement) await start(root);
