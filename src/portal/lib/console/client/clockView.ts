import { element } from '../../ui/element.ts';
import { ask, shown } from './ask.ts';
import type { LiveView } from './logViews.ts';
import { onceAtATime } from './onceAtATime.ts';
import { button, card, input, labeled, row } from './uiParts.ts';

const steps = [
  ['+1 minute', 60_000],
  ['+10 minutes', 600_000],
  ['+1 hour', 3_600_000],
  ['+1 day', 86_400_000],
] as const;

/** The view of the portal's clock, with its controls. */
export const clockView = (showMessage: (message: string) => void): LiveView => {
  const face = element('p', { class: 'clock' });
  const state = element('p', { class: 'hint' });
  const refresh = onceAtATime(async () => {
    const clock = await ask('GET', '/clock');
    const text = shown(clock['now']);
    face.textContent = `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
    const offset = Math.round(Number(clock['offsetMs']) / 1000);
    state.textContent = [
      clock['isFrozen'] === true ? 'Frozen' : 'Running',
      clock['speed'] === 1 ? '' : `at ${shown(clock['speed'])} × speed`,
      offset === 0
        ? 'in sync with real time'
        : `${Math.abs(offset)} s ${offset > 0 ? 'ahead of' : 'behind'} real time`,
    ]
      .filter((part) => part !== '')
      .join(', ');
  });
  const changeClock = (body: object) => {
    void ask('POST', '/clock', body)
      .then(refresh)
      .then(() => showMessage(''));
  };
  const speed = input({ type: 'number', min: '0.1', max: '1000000', step: 'any', value: '60' });
  const at = input({ type: 'datetime-local', step: '1' });
  return {
    root: card(
      'Clock',
      element('p', { class: 'hint', text: 'Keys, links, the audit log and webhooks use this clock.' }),
      face,
      state,
      row(
        button('Freeze', () => changeClock({ freeze: true })),
        button('Run', () => changeClock({ resume: true })),
        ...steps.map(([text, advanceMs]) => button(text, () => changeClock({ advanceMs }))),
        button('Back to real time', () => changeClock({ reset: true })),
      ),
      row(
        labeled('Speed', speed),
        button('Set speed', () => changeClock({ speed: Number(speed.value) })),
        labeled('Time (UTC)', at),
        button('Set time', () => {
          if (at.value === '') showMessage('Choose a time first.');
          else changeClock({ set: new Date(`${at.value}Z`).toISOString() });
        }),
      ),
    ),
    refresh,
  };
};
