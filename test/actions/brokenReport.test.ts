import { sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startActions } from '../../src/server/lib/actions/createActions.ts';
import { clickBody, secret } from './support/samples.ts';
import { settled } from './support/startDispatch.ts';
import { webhook } from './support/webhook.ts';

const broken = (): never => {
  throw new Error('disk full');
};

const reject = (): Promise<never> => Promise.reject(new Error('disk full'));

describe.each([
  ['a logger that throws', { logger: { debug: broken, info: broken, warn: broken, error: broken } }],
  // TypeScript lets an async function stand for a function without a result.
  ['a logger that rejects', { logger: { debug: reject, info: reject, warn: reject, error: reject } }],
])('%s', (_, options) => {
  it('changes no response, loses no delivery and does not crash the process', async () => {
    const inbox = sqliteInbox(':memory:');
    const actions = startActions(
      {
        secrets: secret,
        inbox,
        audience: 'nobody',
        on: (event, { attempt }) => {
          if (attempt === 1) throw new Error(event.reportName);
        },
        ...options,
      },
      { pollMs: 20, firstRetryMs: 1, maxRetryMs: 1 },
    );
    onTestFinished(() => actions.close(0));
    const post = (token: string) =>
      actions.receive(webhook(JSON.stringify(clickBody()), { authorization: `Bearer ${token}` }));
    expect((await post('wrong')).status).toBe(401);
    expect((await post(secret)).status).toBe(202);
    await settled(async () => await inbox.counts());
    expect(await inbox.counts()).toMatchObject({ done: 1 });
  });
});
