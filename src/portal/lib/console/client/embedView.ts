import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { element } from '../../ui/element.ts';
import { embedCode, embedCommands, embedFrameworks } from '../shared/embedCode.ts';
import { envText } from '../shared/tenantEnvironment.ts';
import { copyButton } from './copyButton.ts';
import { card, hint, input, labeled, row, select } from './uiParts.ts';

const codeBlock = (name: string, code: string): HTMLElement =>
  element('section', {
    class: 'code',
    children: [
      element('header', {
        children: [element('h3', { text: name }), copyButton('Copy', () => code, `Copy ${name}`)],
      }),
      element('pre', { text: code, attributes: { tabindex: '0', role: 'region', 'aria-label': name } }),
    ],
  });

/** The code that embeds a report in a host app, ready to paste. */
export const embedView = (tenant: PortalTenant, itemId: string | undefined): HTMLElement => {
  const { items, roleNames } = tenant;
  if (items.length === 0)
    return card('Embed', element('p', { class: 'nothing', text: 'This tenant has no items.' }));
  const item = select(items.map(({ id, displayName }) => [String(id), `${id} · ${displayName}`]));
  if (itemId !== undefined && items.some(({ id }) => String(id) === itemId)) item.value = itemId;
  const framework = select(embedFrameworks.map((name) => [name, name]));
  const role = select([['', 'no roles'], ...roleNames.map((name) => [name, name] as const)]);
  role.value = roleNames[0] ?? '';
  const user = input({ type: 'text', value: `viewer@${tenant.tenancyName}.example` });
  const place = element('div', { class: 'stack' });
  const draw = () => {
    const chosen = items.find(({ id }) => String(id) === item.value);
    const name = embedFrameworks.find((one) => one === framework.value);
    if (chosen === undefined || name === undefined) return;
    const files = embedCode(name, {
      itemId: chosen.id,
      title: chosen.displayName,
      userId: user.value,
      roleNames: role.value === '' ? [] : [role.value],
    });
    place.replaceChildren(
      codeBlock('Terminal', `${embedCommands(name)}\n`),
      ...files.map(({ path, code }) => codeBlock(path, code)),
      codeBlock('.env.local', envText(tenant)),
    );
  };
  for (const control of [item, framework, role, user]) control.addEventListener('input', draw);
  draw();
  return element('div', {
    class: 'stack',
    children: [
      card(
        'Embed',
        hint(
          'The backend decides who the viewer is; the page only sends the item ID. Replace the viewer with your own sign-in.',
        ),
        row(
          labeled('Report', item),
          labeled('Framework', framework),
          labeled('Viewer', user),
          labeled('RLS role', role),
        ),
      ),
      place,
    ],
  });
};
