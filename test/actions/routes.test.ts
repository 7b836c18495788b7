import { type ActionHandlers, on } from '@vitrine/actions';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clickBody } from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';

describe('which handler gets an event', () => {
  const heardBy = async (handlersOf: (note: (who: string) => () => void) => ActionHandlers) => {
    const heard: string[] = [];
    const { deliver, states } = startDispatch(handlersOf((who) => () => void heard.push(who)));
    await deliver(clickBody());
    await deliver(clickBody({ visualName: 'totals' }));
    await deliver(clickBody({ reportName: 'Another report', reportId: 'b' }));
    await settled(states);
    return heard.sort();
  };

  it('a single function gets everything', async () => {
    expect(await heardBy((note) => note('all'))).toEqual(['all', 'all', 'all']);
  });

  it('a record is keyed by report, report and visual, or * for the rest; the most specific key wins', async () => {
    const heard = await heardBy((note) => ({
      '*': note('rest'),
      'Sales by region': note('report'),
      'Sales by region/totals': note('visual'),
    }));
    expect(heard).toEqual(['report', 'rest', 'visual']);
  });

  it('a key may be the whole name of a report with a slash in it', async () => {
    const handled: string[] = [];
    const { deliver, states } = startDispatch({
      'Income / Expenses': ({ reportName }) => void handled.push(reportName),
      'Sales by region/totals': ({ reportName }) => void handled.push(reportName),
    });
    await deliver(clickBody({ reportName: 'Income / Expenses' }));
    await deliver(clickBody({ reportName: 'Sales by region/totals', reportId: 'b' }));
    await deliver(clickBody({ reportName: 'Income' }));
    await deliver(clickBody({ reportName: 'Expenses', visualName: 'totals' }));
    await settled(states);
    expect(handled.sort()).toEqual(['Income / Expenses', 'Sales by region/totals']);
  });

  it.each([
    ['a misspelt condition, which would match everything', { reprot: 'Sales' }, 'unknown_option'],
    ['a number for a report', { report: 1042 }, 'invalid_action_handler'],
    ['a number for a visual', { visual: 7 }, 'invalid_action_handler'],
    ['a schema that is none', { schema: { parse: () => 1 } }, 'invalid_action_handler'],
    ['null', null, 'missing_options'],
  ])('on() refuses %s', (_, match, code) => {
    // A host in plain JavaScript may hand in anything.
    expect(() => on(match as never, () => undefined)).toThrow(code);
    const routes = [{ match, handler: () => undefined }] as never;
    expect(() => startDispatch(routes)).toThrow(code);
  });

  it('a list of on() is asked in order, by report name or GUID and by visual', async () => {
    const heard = await heardBy((note) => [
      on({ visual: 'totals' }, note('visual')),
      on({ report: clickBody().metadata.reportId.toUpperCase() }, note('GUID')),
      on({ report: 'Another report' }, note('name')),
    ]);
    expect(heard).toEqual(['GUID', 'name', 'visual']);
  });

  it('an event nobody handles is done: it may still reach viewers', async () => {
    const { deliver, states } = startDispatch({ 'No such report': () => undefined });
    await deliver(clickBody());
    await settled(states);
    expect(await states()).toMatchObject({ done: 1 });
  });

  it('a schema types the rows, and an event that fails it is parked for a person', async () => {
    const schema = z.object({
      'Sales[Region]': z.string(),
      'Sum(Sales[Amount])': z.number().transform(Math.round),
    });
    const amounts: number[] = [];
    const { deliver, states, news } = startDispatch([
      on(
        { schema },
        ({ flatRows }) => void amounts.push(...flatRows.map((row) => row['Sum(Sales[Amount])'])),
      ),
    ]);
    await deliver(clickBody());
    const other = clickBody();
    await deliver({ ...other, visualData: [{ visual: 'x', data: [{ identity: [], values: [] }] }] });
    await settled(states);
    expect(amounts).toEqual([1251]);
    expect(await states()).toMatchObject({ done: 1, parked: 1 });
    expect(news).toMatchObject([{ kind: 'parked', deliveryId: '2' }]);
  });

  it.each([
    ['bad JSON', '{"metadata":'],
    ['no metadata', '{"a":1}'],
    ['nothing', ''],
  ])('parks a body that cannot be understood (%s), and says so', async (_, body) => {
    const { deliver, states, news } = startDispatch(() => expect.unreachable());
    await deliver(body);
    await settled(states);
    expect(await states()).toMatchObject({ parked: 1 });
    expect(news).toMatchObject([{ kind: 'parked', deliveryId: '1' }]);
  });
});
