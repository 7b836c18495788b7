import { type ActionEvent, createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  clickBody,
  collectDiagnostics,
  numberedBody,
  otherReport,
  reportId,
  secret,
} from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';
import { startStream } from './support/startStream.ts';
import { webhook } from './support/webhook.ts';

const target = { table: 'Sales', column: 'Amount (bins)' };
const withIdentity = (entry: object) => {
  const { metadata } = clickBody();
  return {
    metadata,
    visualData: [{ visual: 'v', data: [{ identity: [{ target, ...entry }], values: [] }] }],
  };
};

/** What a handler gets of a body. */
const handledEvent = async (body: unknown): Promise<ActionEvent> => {
  const seen = Promise.withResolvers<ActionEvent>();
  const { deliver } = startDispatch((event) => seen.resolve(event));
  await deliver(body);
  return seen.promise;
};

describe('a selection that is described in other words than equals', () => {
  it.each([
    [{ between: [100, 200] }],
    [{ operator: 'In', values: ['North', 'South'] }],
    [{ logicalOperator: 'And', conditions: [{ operator: 'GreaterThan', value: 5 }] }],
    [{ equals: undefined, notEquals: 'North' }],
  ])('is unparsed, with its JSON as the value, and not blank: %j', async (entry) => {
    const { rows, isUnparsed } = await handledEvent(withIdentity(entry));
    expect(rows[0]?.identity).toEqual([{ ...target, value: JSON.stringify(entry), isUnparsed: true }]);
    expect(isUnparsed).toBe(true);
  });

  it('control: is blank when it says so', async () => {
    const { rows, isUnparsed } = await handledEvent(withIdentity({ equals: null }));
    expect(rows[0]?.identity).toEqual([{ ...target, value: null }]);
    expect(isUnparsed).toBe(false);
  });
});

describe('a GUID', () => {
  const bare = reportId.replaceAll('-', '');
  const hexadecimal = '{0x5a0f3a54,0x6b5e,0x4a53,{0x9a,0x55,0x0d,0x2f,0x1e,0x6c,0x7b,0x10}}';
  it.each([
    reportId.toUpperCase(),
    `{${reportId}}`,
    `(${reportId})`,
    bare,
    `urn:uuid:${reportId}`,
    hexadecimal,
  ])('is the same report in every notation: %s', async (notation) => {
    const heard: string[] = [];
    const asked: string[] = [];
    const { deliver, states } = startDispatch(
      { [notation]: (event) => void heard.push(event.reportId), '*': () => void heard.push('rest') },
      {},
      { audience: () => 'a', itemIdOf: (id) => void asked.push(id) },
    );
    await deliver(clickBody());
    await deliver(clickBody({ reportId: notation }));
    await deliver(clickBody({ reportId: otherReport }));
    await settled(states);
    expect(heard.sort()).toEqual([reportId, reportId, 'rest']);
    expect(new Set(asked)).toEqual(new Set([reportId, otherReport]));
  });
});

describe('a body in another encoding', () => {
  const body = JSON.stringify(clickBody({ reportName: 'Zürich → €' }));
  const latin1 = Buffer.from(body.replace(' → €', ''), 'latin1');
  const utf16 = Buffer.from(`\ufeff${body}`, 'utf16le');
  const nameOf = async (raw: Uint8Array, contentType?: string) => {
    const seen = Promise.withResolvers<string>();
    const { inbox } = startDispatch(({ reportName }) => seen.resolve(reportName));
    await inbox.append({ raw, receivedAtMs: Date.now(), contentType });
    return seen.promise;
  };

  it('is decoded by its charset', async () => {
    expect(await nameOf(latin1, 'application/json; charset=iso-8859-1')).toBe('Zürich');
    expect(await nameOf(utf16, 'application/json; charset="utf-16"')).toBe('Zürich → €');
    expect(await nameOf(Buffer.from(body), 'application/json; charset=nonsense')).toBe('Zürich → €');
    expect(await nameOf(Buffer.from(`${body}\0`))).toBe('Zürich → €');
  });

  it('is parked when it cannot be decoded, with the byte and the content type', async () => {
    const { inbox, next } = startDispatch(() => undefined);
    const parked = next('parked');
    await inbox.append({ raw: latin1, receivedAtMs: Date.now(), contentType: 'application/json' });
    const at = latin1.indexOf(0xfc);
    expect((await parked).message).toContain(
      `The body (${latin1.length} bytes, content type application/json) has a byte at ${at} that is not utf-8.`,
    );
  });
});

describe('a probe without content', () => {
  it.each(['', ' ', '{}', '[]', 'null', '{ }\n'])('is done and reports nothing: %j', async (body) => {
    const { deliver, states, diagnostics } = startDispatch(() => expect.unreachable());
    await deliver(body);
    await settled(states);
    expect(await states()).toMatchObject({ done: 1, parked: 0 });
    expect(diagnostics).toEqual([]);
  });
});

describe('the token of a webhook', () => {
  const statusesOf = async (secrets: string, ...headers: readonly string[]) => {
    const { logger } = collectDiagnostics();
    const inbox = sqliteInbox(':memory:');
    const actions = createActions({ secrets, inbox, audience: 'nobody', dispatch: false, logger });
    onTestFinished(() => actions.close(0));
    const post = async (authorization: string) => {
      const { status } = await actions.receive(webhook(String(numberedBody(1)), { authorization }));
      return status;
    };
    return Promise.all(headers.map(post));
  };
  it('may not contain letters beyond ASCII, which senders encode in several ways', async () => {
    for (const letters of ['schlüssel-für-den-webhook-mit-ümläuten', 'klucz-Łódź-klucz-Łódź-klucz-Łódź'])
      await expect(statusesOf(letters)).rejects.toThrow(/all ASCII/);
  });

  it('counts once if it is sent twice, and not beside another one', async () => {
    const twice = `Bearer ${secret}, Bearer ${secret}`;
    expect(await statusesOf(secret, twice, `${secret},${secret}`, `Bearer ${secret}, Bearer x`)).toEqual([
      202, 202, 401,
    ]);
    expect(await statusesOf(`${secret},${secret}`, `${secret},${secret}`)).toEqual([202]);
    const comma = `a,b-${secret}`;
    expect(
      await statusesOf(comma, `Bearer ${comma}`, `Bearer ${comma}, Bearer ${comma}`, `b-${secret}`),
    ).toEqual([202, 202, 401]);
  });
});

describe('a handler that hangs', () => {
  it('leaves the other slots to the handlers of other reports', async () => {
    const handled = Promise.withResolvers<string>();
    let hanging = 0;
    const { deliver, states } = startDispatch({
      [reportId]: () => {
        hanging += 1;
        return new Promise<never>(() => undefined);
      },
      '*': ({ reportName }) => handled.resolve(reportName),
    });
    for (let n = 0; n < 40; n += 1) await deliver(clickBody({ reportName: `${n}` }));
    await deliver(clickBody({ reportName: 'other', reportId: otherReport }));
    expect(await handled.promise).toBe('other');
    expect(hanging).toBeLessThanOrEqual(4);
    await expect.poll(states).toMatchObject({ pending: 40, done: 1 });
  });
});

describe('an action whose handler is only in another process', () => {
  it('is shown at once, and handled by the other process within five minutes', async () => {
    const inbox = sqliteInbox(':memory:');
    const old = await startStream({ inbox, on: { [otherReport]: () => undefined } });
    const stream = await old.open('north@acme.example');
    await old.click(7, { reportName: 'new report' });
    await stream.untilActions(1);
    expect(stream.actions()[0]).not.toHaveProperty('message');
    expect(await inbox.counts()).toMatchObject({ pending: 1, unrouted: 0 });
    const { states } = startDispatch(
      { [reportId]: () => ({ message: 'handled' }) },
      {},
      {
        inbox,
        audience: () => 'north@acme.example',
      },
    );
    await settled(states);
    expect(await states()).toMatchObject({ done: 1, unrouted: 0 });
    await stream.untilActions(2);
    expect(stream.actions().map(({ id, message }) => [id, message])).toEqual([
      ['1', undefined],
      ['1', 'handled'],
    ]);
    expect(old.diagnostics).toEqual([]);
  });
});
