import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { element } from '../../ui/element.ts';
import { envText } from '../shared/tenantEnvironment.ts';
import { copyButton } from './copyButton.ts';
import { card } from './uiParts.ts';

const connection = (tenant: PortalTenant): HTMLElement =>
  element('dl', {
    class: 'connection',
    children: (
      [
        ['Tenant URL', tenant.tenantUrl],
        ['Base URL', tenant.baseUrl],
        ['Tenant ID', String(tenant.tenantId)],
        ['Tenancy name', tenant.tenancyName],
        ['API key', tenant.apiKey],
        ['Passphrase', tenant.passPhrase],
      ] as const
    ).flatMap(([title, value]) => [
      element('dt', { text: title }),
      element('dd', {
        children: [
          element('code', { text: value === '' ? 'shown only once, at creation; not stored' : value }),
          ...(value === '' ? [] : [copyButton('Copy', () => value, `Copy ${title}`)]),
        ],
      }),
    ]),
  });

/** The overview of a tenant: its connection and its content. */
export const overviewView = (tenant: PortalTenant): HTMLElement =>
  element('div', {
    class: 'stack',
    children: [
      card('Connection', connection(tenant)),
      card(
        'Environment variables for a host app',
        element('p', { class: 'hint', text: 'These secrets are only for development.' }),
        element('div', {
          class: 'code',
          children: [
            copyButton('Copy .env', () => envText(tenant)),
            element('pre', {
              text: envText(tenant),
              attributes: { tabindex: '0', role: 'region', 'aria-label': '.env' },
            }),
          ],
        }),
      ),
      card(
        'Reports',
        tenant.items.length === 0
          ? element('p', { class: 'nothing', text: 'This tenant has no items.' })
          : element('ul', {
              class: 'reports',
              children: tenant.items.map((item) =>
                element('li', {
                  children: [
                    element('a', {
                      text: item.displayName,
                      attributes: { href: `#preview/${tenant.tenancyName}/${item.id}` },
                    }),
                    element('span', {
                      class: 'hint',
                      text: `${item.id}${item.hasRls ? ' · filters rows' : ''}`,
                    }),
                    element('a', {
                      text: 'Embed',
                      attributes: {
                        href: `#embed/${tenant.tenancyName}/${item.id}`,
                        'aria-label': `Embed ${item.displayName}`,
                      },
                    }),
                  ],
                }),
              ),
            }),
      ),
    ],
  });
