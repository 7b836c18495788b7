import type { ReportAction } from '@vitrine/contract';
import { describe, expect, it } from 'vitest';
import { openInbox } from './support/openInbox.ts';
import { places } from './support/places.ts';
import { clickBody, otherReport, reportId } from './support/samples.ts';
import { startStream } from './support/startStream.ts';

/** What a page shows at the end: the last action that is not superseded. */
const shown = (actions: readonly ReportAction[]): string | undefined =>
  actions.findLast(({ isSuperseded }) => isSuperseded !== true)?.reportName;

const names = (actions: readonly ReportAction[]) => actions.map(({ reportName }) => reportName);

describe.each(places.filter(({ isThere }) => isThere))('the order of actions ($database)', ({ create }) => {
  /** Handlers wait for `release` of a click's name. */
  const startHost = async (place = create(), options: Parameters<typeof startStream>[0] = {}) => {
    const gates = new Map<string, PromiseWithResolvers<void>>();
    const gateOf = (name: string) => {
      const gate = gates.get(name) ?? Promise.withResolvers<void>();
      gates.set(name, gate);
      return gate;
    };
    const host = await startStream({
      inbox: openInbox(place),
      on: async ({ reportName }) => {
        if (reportName.startsWith('slow')) await gateOf(reportName).promise;
        return { message: reportName, refresh: true };
      },
      ...options,
    });
    return { ...host, release: (name: string) => gateOf(name).resolve() };
  };

  it('marks an action whose handler ends after that of a newer click', async () => {
    const { open, click, release } = await startHost();
    const stream = await open('north@acme.example');
    await click(7, { reportName: 'slow North' });
    await click(7, { reportName: 'South' });
    await stream.untilActions(1);
    release('slow North');
    await stream.untilActions(2);
    expect(names(stream.actions())).toEqual(['South', 'slow North']);
    expect(stream.actions()[0]).not.toHaveProperty('isSuperseded');
    expect(stream.actions()[1]).toMatchObject({ isSuperseded: true, message: 'slow North', refresh: true });
  });

  it('marks an action that is older than a cleared selection', async () => {
    const { open, click, inbox, release } = await startHost();
    const stream = await open('north@acme.example');
    await click(7, { reportName: 'slow North' });
    const cleared = { ...clickBody({ reportName: 'cleared' }), visualData: [] };
    await inbox.append({ raw: Buffer.from(JSON.stringify(cleared)), receivedAtMs: Date.now() });
    await stream.untilActions(1);
    release('slow North');
    await stream.untilActions(2);
    expect(shown(stream.actions())).toBe('cleared');
  });

  it('marks an action whose first attempt failed', async () => {
    const { open, click } = await startHost(create(), {
      on: ({ reportName }, { attempt }) => {
        if (reportName === 'North' && attempt === 1) throw new Error('away');
      },
      timing: { firstRetryMs: 500 },
    });
    const stream = await open('north@acme.example');
    await click(7, { reportName: 'North' });
    await click(7, { reportName: 'South' });
    await stream.untilActions(2);
    expect(names(stream.actions())).toEqual(['South', 'North']);
    expect(shown(stream.actions())).toBe('South');
  });

  it('marks no action of another report, or of another viewer', async () => {
    const { open, click, release } = await startHost(create(), {
      itemIdOf: (id) => (id === reportId ? 1042 : 1043),
    });
    const [north, south] = [await open('north@acme.example'), await open('south@acme.example')];
    await click(7, { reportName: 'slow North' });
    await click(7, { reportName: 'other report', reportId: otherReport });
    await click(8, { reportName: 'other viewer' });
    await Promise.all([north.untilActions(1), south.untilActions(1)]);
    release('slow North');
    await north.untilActions(2);
    for (const action of [...north.actions(), ...south.actions()])
      expect(action).not.toHaveProperty('isSuperseded');
  });

  it('decides for each viewer of an action', async () => {
    const { open, click, release } = await startHost(create(), {
      audience: ({ currentUser }) => [currentUser === 7 ? 'north' : 'south', 'manager'],
    });
    const [north, manager] = [await open('north'), await open('manager')];
    await click(7, { reportName: 'slow North' });
    await click(8, { reportName: 'South' });
    await manager.untilActions(1);
    release('slow North');
    await Promise.all([north.untilActions(1), manager.untilActions(2)]);
    expect(shown(north.actions())).toBe('slow North');
    expect(shown(manager.actions())).toBe('South');
  });

  it('marks the same actions for a browser that returns after the newer click', async () => {
    const { open, click, release, settled } = await startHost();
    const first = await open('north@acme.example');
    await click(7, { reportName: 'slow North' });
    await click(7, { reportName: 'South' });
    await first.untilActions(1);
    first.close();
    release('slow North');
    await settled();
    const second = await open('north@acme.example', { 'last-event-id': first.lastId });
    await second.untilActions(1);
    expect(second.actions()).toMatchObject([{ reportName: 'slow North', isSuperseded: true }]);
  });

  it('marks an action that another process on the same inbox handles late', async () => {
    const place = create();
    // Its only slot is taken by the first click.
    const one = await startHost(place, { timing: { concurrency: 1 } });
    await one.click(7, { reportName: 'slow North' });
    const attempts = async () => (await one.inbox.list({ limit: 1 }))[0]?.attempts;
    await expect.poll(attempts, { timeout: 20_000 }).toBe(1);
    const two = await startHost(place);
    const streams = [await one.open('north@acme.example'), await two.open('north@acme.example')];
    await two.click(7, { reportName: 'South' });
    await Promise.all(streams.map((stream) => stream.untilActions(1)));
    one.release('slow North');
    await Promise.all(streams.map((stream) => stream.untilActions(2)));
    for (const stream of streams) {
      expect(names(stream.actions())).toEqual(['South', 'slow North']);
      expect(shown(stream.actions())).toBe('South');
    }
  });
});
