import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { element } from '../../ui/element.ts';
import { ask, shown } from './ask.ts';
import { button, card, input, labeled, row, select } from './uiParts.ts';

/** The preview of a report as a chosen viewer. */
export const previewView = (tenant: PortalTenant, itemId: string | undefined): HTMLElement => {
  const { tenancyName, items, roleNames } = tenant;
  const item = select(items.map(({ id, displayName }) => [String(id), `${id} · ${displayName}`]));
  if (itemId !== undefined && items.some(({ id }) => String(id) === itemId)) item.value = itemId;
  const user = input({ type: 'text', value: `viewer@${tenancyName}.example` });
  const roles = roleNames.map((code) => {
    const box = input({ type: 'checkbox', value: code });
    box.checked = code === (roleNames.includes('all-regions') ? 'all-regions' : roleNames[0]);
    return { code, box };
  });
  const place = element('div', { class: 'preview' });
  const open = () => {
    void ask('POST', `/tenants/${tenancyName}/keys`, {
      itemId: Number(item.value),
      userId: user.value,
      roleNames: roles.filter(({ box }) => box.checked).map(({ code }) => code),
    }).then((answer) => {
      place.replaceChildren(
        element('iframe', {
          attributes: { src: shown(answer['url']), title: 'Report preview', allowfullscreen: '' },
        }),
      );
      return undefined;
    });
  };
  if (items.length === 0)
    return card('Preview', element('p', { class: 'nothing', text: 'This tenant has no items.' }));
  open();
  return card(
    'Preview',
    row(labeled('Report', item), labeled('User', user), button('Open', open, true)),
    ...(roles.length === 0
      ? []
      : [
          element('fieldset', {
            children: [
              element('legend', { text: 'RLS roles' }),
              ...roles.map(({ code, box }) =>
                element('label', { class: 'check', children: [box, document.createTextNode(` ${code}`)] }),
              ),
            ],
          }),
        ]),
    place,
  );
};
