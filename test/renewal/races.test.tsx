import { act, cleanup, render } from '@testing-library/react';
import { EmbeddedReport, type EmbeddedReportProps, EmbedProvider } from '@vitrine/react';
import { type ComponentProps, type ComponentType, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { frames, load, settle } from '../support/domReport.tsx';
import { fc } from '../support/fc.ts';
import { sized } from '../support/size.ts';
import { problem } from '../support/virtualBackend.ts';
import { createVirtualEnvironment } from '../support/virtualEnvironment.ts';

const runs = sized(20, 20_000);

type Step =
  | { readonly do: 'show'; readonly itemId: number; readonly viewer: string }
  | { readonly do: 'leave' | 'load' | 'refresh' | 'fail' | 'answer' | 'throw' }
  | { readonly do: 'pass'; readonly minutes: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('show' as const),
    itemId: fc.integer({ min: 1, max: 3 }),
    viewer: fc.constantFrom('ann', 'bob'),
  }),
  fc.record({ do: fc.constantFrom('leave', 'load', 'refresh', 'fail', 'answer', 'throw') }),
  fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 70 }) }),
);

let count = 0;

/** What a control replaces. */
interface Components {
  readonly Report?: ComponentType<EmbeddedReportProps>;
  readonly Provider?: typeof EmbedProvider;
}

/** Runs a schedule; everything visible must belong to the current item and viewer, and never be older than before. */
const play = async (
  scheduler: fc.Scheduler,
  steps: readonly Step[],
  { Report = EmbeddedReport, Provider = EmbedProvider }: Components = {},
) => {
  count += 1;
  const environment = createVirtualEnvironment();
  let order = 0;
  let fails = false;
  let throws = false;
  let shown: { itemId: number; viewer: string } | undefined;
  const newest = new Map<string, number>();
  const wrong: string[] = [];
  const fetchAs = (viewer: string) =>
    ((_url: unknown, init?: RequestInit) => {
      // A later request has the newer key, whenever its response arrives.
      const key = `${viewer}-${(JSON.parse(init?.body as string) as { itemId: number }).itemId}-${++order}`;
      return scheduler.schedule(Promise.resolve()).then(() => {
        if (fails) return problem(503, 'portal_unavailable');
        const [, itemId] = key.split('-').map(Number);
        return Response.json({
          itemId,
          key,
          tenantUrl: 'https://acme.example',
          lifetimeMs: 3.6e6,
          expiresAt: '',
        });
      });
    }) as typeof fetch;
  const fetches = { ann: fetchAs('ann'), bob: fetchAs('bob') } as Record<string, typeof fetch>;
  const check = () => {
    // Every request here gets a response in the end: unreachable ones were aborted long ago.
    if (document.querySelector('[data-code="backend_unreachable"]'))
      wrong.push('the failure of an earlier request');
    const [frame] = frames();
    if (!frame) return;
    const [viewer, itemId, number] = new URL(frame.src).searchParams.get('ev')?.split('-') ?? [];
    if (!shown) wrong.push('a frame after leaving');
    else if (viewer !== shown.viewer || Number(itemId) !== shown.itemId)
      wrong.push(`${frame.src} instead of ${JSON.stringify(shown)}`);
    const id = `${viewer}-${itemId}`;
    if (Number(number) < (newest.get(id) ?? 0)) wrong.push(`an older key: ${frame.src}`);
    newest.set(id, Number(number));
  };
  const callback = () => {
    if (throws) throw new Error('a host callback that throws');
  };
  const page = () =>
    shown && (
      <Provider endpoint={`/race-${count}`} viewerKey={shown.viewer} fetch={fetches[shown.viewer]}>
        <Report itemId={shown.itemId} onError={callback} onLoad={callback} />
      </Provider>
    );
  const { rerender, unmount } = render(<>{page()}</>);
  for (const one of steps) {
    if (one.do === 'show') shown = { itemId: one.itemId, viewer: one.viewer };
    else if (one.do === 'leave') shown = undefined;
    else if (one.do === 'fail') fails = true;
    else if (one.do === 'throw') throws = !throws;
    if (one.do === 'show' || one.do === 'leave') await act(async () => rerender(<>{page()}</>));
    else if (one.do === 'load') await load();
    else if (one.do === 'refresh') await act(async () => environment.wake());
    else if (one.do === 'pass') await act(() => environment.advance(one.minutes * 60_000));
    else if (one.do === 'answer') {
      fails = false;
      if (scheduler.count() > 0) await act(() => scheduler.waitOne());
    }
    await settle();
    check();
  }
  unmount();
  await act(() => scheduler.waitIdle());
  await settle();
  cleanup();
  return { wrong, left: [environment.timerCount, environment.listenerCount] };
};

/** The shortest way to receive another viewer's key: one signs out, another signs in, with the same report. */
const changeOfPerson: readonly Step[] = [
  { do: 'show', itemId: 1, viewer: 'ann' },
  { do: 'answer' },
  { do: 'load' },
  { do: 'show', itemId: 1, viewer: 'bob' },
];

/**
 * The shortest way to receive an earlier response: a request is aborted because it takes too long, and ends afterward.
 */
const givenUp: readonly Step[] = [
  { do: 'show', itemId: 1, viewer: 'ann' },
  { do: 'pass', minutes: 0.2 },
];

describe(`${runs} schedules of changes, late responses, failures and unmounts`, () => {
  beforeEach(() => void vi.stubGlobal('reportError', () => {}));
  afterEach(() => void vi.unstubAllGlobals());

  it('never show a wrong item, a wrong viewer or an older key, and leave nothing behind', async () => {
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { minLength: 3, maxLength: 12 }),
      async (scheduler, steps) => {
        const { wrong, left } = await play(scheduler, steps);
        expect(wrong).toEqual([]);
        expect(left).toEqual([0, 0]);
      },
    );
    await expect(fc.assert(property, { numRuns: runs })).resolves.toBeUndefined();
  });

  it('control: would show another viewer’s report if keys were not separated by viewer', async () => {
    const ForEverybody = ({ viewerKey: _, ...props }: ComponentProps<typeof EmbedProvider>) => (
      <EmbedProvider {...props} />
    );
    const broken = await play(fc.schedulerFor([1]), changeOfPerson, { Provider: ForEverybody });
    expect(broken.wrong.join()).toContain('instead of');
    const { wrong } = await play(fc.schedulerFor([1, 2]), changeOfPerson);
    expect(wrong).toEqual([]);
  });

  it('do not confuse the end of an earlier request with that of the current one', async () => {
    const { wrong } = await play(fc.schedulerFor([1, 2]), givenUp);
    expect(wrong).toEqual([]);
  });

  it('control: would show another item’s report if a frame did not belong to its item', async () => {
    const FirstReport = ({ itemId, ...props }: EmbeddedReportProps) => {
      const [firstItemId] = useState(itemId);
      return <EmbeddedReport itemId={firstItemId} {...props} />;
    };
    const steps: readonly Step[] = [
      { do: 'show', itemId: 1, viewer: 'ann' },
      { do: 'answer' },
      { do: 'load' },
      { do: 'show', itemId: 2, viewer: 'ann' },
    ];
    const broken = await play(fc.schedulerFor([1]), steps, { Report: FirstReport });
    expect(broken.wrong.join()).toContain('instead of');
    const { wrong } = await play(fc.schedulerFor([1, 2]), steps);
    expect(wrong).toEqual([]);
  });
});
