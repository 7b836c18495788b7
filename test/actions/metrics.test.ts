import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { recordTelemetry } from '../support/recordTelemetry.ts';
import { clickBody, secret } from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';
import { webhook } from './support/webhook.ts';

describe('action metrics', () => {
  it('count webhooks by status and actions by outcome, with durations', async () => {
    const { measurements } = recordTelemetry();
    const { actions, deliver, states } = startDispatch(() => undefined);
    const post = (token: string) =>
      actions.receive(webhook(JSON.stringify(clickBody()), { authorization: token }));
    await post(secret);
    await post('wrong');
    await deliver('no JSON');
    await settled(states);
    const seen = measurements.map(({ name, attributes }) => [name, ...Object.values(attributes)].join(' '));
    expect(seen.sort()).toEqual([
      'vitrine.action.duration done',
      'vitrine.action.duration parked',
      'vitrine.webhook.duration 202',
      'vitrine.webhook.duration 401',
    ]);
    expect(measurements.every(({ value }) => value >= 0)).toBe(true);
  });

  it('report backlog size, oldest age and open streams until the receiver closes', async () => {
    const { gauges } = recordTelemetry();
    const inbox = sqliteInbox(':memory:');
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const nowMs = Date.now();
    const actions = createActions({
      secrets: secret,
      inbox,
      audience: 'nobody',
      dispatch: false,
    });
    onTestFinished(() => actions.close(0));
    const read = async (name: string) => {
      const values: unknown[] = [];
      await gauges.get(name)?.({
        observe: (value: number, attributes: object = {}) =>
          void values.push([value, ...Object.values(attributes)]),
      });
      return values;
    };
    expect(await read('vitrine.action.lag')).toEqual([[0]]);
    for (const ageMs of [90_000, 1000])
      await inbox.append({ raw: Buffer.from(String(ageMs)), receivedAtMs: nowMs - ageMs });
    expect(await read('vitrine.action.lag')).toEqual([[90]]);
    expect(await read('vitrine.action.stored')).toContainEqual([2, 'pending']);
    expect(await read('vitrine.action.streams')).toEqual([[0]]);
    await actions.close(0);
    expect([...gauges.keys()]).toEqual([]);
  });
});
