import { notifyManager } from '@tanstack/react-query';
import { act } from '@testing-library/react';
import { embedKeyOptions } from '@vitrine/react';
import { Activity, type ReactNode } from 'react';
import { beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../support/virtualBackend.ts';
import { onlyOurs } from './onlyOurs.ts';
import { compare, createQueryReport, type Habit, type Scene } from './subjects.tsx';

const second = 1_000;
const minute = 60 * second;

// The control's cache notifies its observers in the same task, so that only the scene's timers are waited for.
beforeAll(() => notifyManager.setScheduler(queueMicrotask));

/** What can happen to a page before its report is shown. */
const stepsIn = ({ backend, environment, provider, queryClient, report, draw, leave }: Scene) => {
  const options = embedKeyOptions(1042, provider);
  const show = (reports: ReactNode, mode: 'visible' | 'hidden' = 'visible') =>
    draw(<Activity mode={mode}>{reports}</Activity>);
  return {
    prefetch: () => queryClient.prefetchQuery(options),
    prefetchSlowly: () => void queryClient.prefetchQuery(options),
    mount: () => show(report()),
    mountOff: () => show(report({ refreshPolicy: 'off' })),
    mountOther: () => show(report({ itemId: 7 })),
    mountTwice: () => show([report(), report({}, 'second')]),
    mountLazy: () => show(report({ lazy: true })),
    approach: () => {
      const root = document.querySelector('[data-state="idle"]');
      if (root) environment.approach(root);
    },
    activityHides: () => show(report(), 'hidden'),
    leave,
    hide: () => environment.setVisible(false),
    show: () => environment.setVisible(true),
    fail: () => {
      backend.respond = () => problem(503, 'portal_unavailable');
    },
    recover: () => {
      backend.respond = undefined;
    },
  };
};
type Step = keyof ReturnType<typeof stepsIn>;

/** How a report may start, and the habit of a control that fails then. */
const beginnings: readonly (readonly [title: string, habit: Habit, steps: readonly Step[]])[] = [
  ['key before mount', 'with the response', ['prefetch', 'mount']],
  ['key after mount', 'at mount', ['mount']],
  ['key during mount', 'with the response', ['prefetchSlowly', 'mount']],
  ['hidden page that becomes visible', 'at mount', ['hide', 'mount', 'show']],
  ['hidden page with a key', 'with the response', ['prefetch', 'hide', 'mount', 'show']],
  ['lazy report that is scrolled into view', 'at mount', ['mountLazy', 'approach']],
  ['lazy report with a key', 'with the response', ['prefetch', 'mountLazy', 'approach']],
  ['policy changed after mount', 'per report', ['mountOff', 'mount']],
  ['item changed after mount', 'at mount', ['mountOther', 'mount']],
  ['unmounted and mounted again', 'with the response', ['mount', 'leave', 'mount']],
  ['hidden and shown again by Activity', 'with the response', ['mount', 'activityHides', 'mount']],
  ['first attempt fails', 'per report', ['fail', 'mount', 'recover']],
  ['the frame loads before the second report mounts', 'per report', ['mount', 'mountTwice']],
];

describe('schedules the renewal once in any start order', () => {
  it.each(beginnings)('%s; a control that schedules it %s fails', async (_, habit, steps) => {
    const findings = await compare(async (scene) => {
      const { backend, pass, isGood } = scene;
      const does = stepsIn(scene);
      for (const step of steps) {
        await act(async () => does[step]());
        await pass(second);
      }
      await pass(minute);
      const wasGood = isGood();
      const before = backend.requests.length;
      await pass(55 * minute);
      const keys = backend.requests.length - before;
      await pass(6 * minute);
      return { wasGood, keys, isGood: isGood() };
    }, createQueryReport(habit));
    expect(findings).toEqual(onlyOurs({ wasGood: true, keys: 1, isGood: true }));
  });
});
