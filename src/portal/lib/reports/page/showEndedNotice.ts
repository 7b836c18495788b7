import { element } from '../../ui/element.ts';

const texts: Readonly<Record<string, string>> = {
  expired: 'The key for this report has expired. Open the report again from its application.',
  revoked: 'Your access to this report was withdrawn. Open the report again from its application.',
};

/** Covers the report when its key has expired; its content can no longer be read or focused. */
export const showEndedNotice = (state: string): void => {
  document.documentElement.dataset['portalState'] = state === 'revoked' ? 'revoked' : 'expired';
  const heading = element('h2', { text: 'Your access to this report has ended' });
  const notice = element('div', {
    class: 'ended',
    attributes: {
      role: 'alertdialog',
      'aria-modal': 'true',
      'aria-label': heading.textContent,
      tabindex: '-1',
    },
    children: [
      element('div', {
        class: 'ended-box',
        children: [heading, element('p', { text: texts[state] ?? texts['expired'] ?? '' })],
      }),
    ],
  });
  // Remove the rows, not only their drawing.
  document.querySelector('#report')?.replaceChildren();
  document.querySelector('#report-model')?.remove();
  document.body.append(notice);
  notice.focus();
};
