import { element } from '../../ui/element.ts';
import { ask, type Row, shown } from './api.ts';
import { button, card, input, labelled, select } from './parts.ts';

interface Item {
  readonly id: number;
  readonly displayName: string;
}

/** A report as a viewer of choice would see it. */
export const previewView = (tenant: Row, report: (message: string) => void): HTMLElement => {
  const tenancyName = shown(tenant['tenancyName']);
  // describeTenant wrote these lists.
  const items = tenant['items'] as readonly Item[];
  const roleNames = tenant['roleNames'] as readonly string[];
  const item = select(items.map(({ id, displayName }) => [String(id), `${id} · ${displayName}`]));
  const user = input({ type: 'text', value: `viewer@${tenancyName}.example` });
  const roles = roleNames.map((code) => {
    const box = input({ type: 'checkbox', value: code });
    box.checked = code === (roleNames.includes('all-regions') ? 'all-regions' : roleNames[0]);
    return { code, box };
  });
  const place = element('div', { class: 'preview' });
  const open = () => {
    ask('POST', `/tenants/${tenancyName}/keys`, {
      itemId: Number(item.value),
      userId: user.value,
      roleNames: roles.filter(({ box }) => box.checked).map(({ code }) => code),
    })
      .then((answer) => {
        place.replaceChildren(
          element('iframe', {
            attributes: { src: shown(answer['url']), title: 'Report preview', allowfullscreen: '' },
          }),
        );
        return undefined;
      })
      .catch((error: unknown) => report(error instanceof Error ? error.message : 'No key was made.'));
  };
  if (items.length === 0)
    return card('Preview', element('p', { class: 'nothing', text: 'This tenant has no items.' }));
  open();
  return card(
    'Preview',
    element('div', {
      class: 'row',
      children: [labelled('Report', item), labelled('User', user), button('Open', open, true)],
    }),
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
