import { createServer } from 'node:http';
import { join } from 'node:path';
import { createNodeHandler } from '@vitrine/server';
import { type ActionsOptions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it } from 'vitest';
import { startActions } from '../../src/server/lib/actions/createActions.ts';
import { runCommand } from '../commands/support/runCommand.ts';
import { findCanary } from '../support/findCanary.ts';
import { connectionTo, listen } from '../support/standInPortal.ts';
import { endWithTest } from './support/endWithTest.ts';
import { openStream } from './support/openStream.ts';
import { clickBody, reportNumber, temporaryFolder } from './support/samples.ts';

const secrets = {
  apiKey: 'Qk31-vd8Zp0TxWm',
  passPhrase: 'Hr47 zoE5 wq9Lb',
  mountApiKey: 'Ju05-nC2yGf7Rs',
  mountPassPhrase: 'Ai61 sB8k eX3Mo',
  token: 'Yt77-0123-Pz9v-4567-Dc1h-8901-Gw6n',
  nextToken: 'Lb29-2345-Fo3m-6789-Ks8u-1234-Xe5j',
  url: 'Nw83-cJ6tVa',
  bearer: 'Mg19-pI0rEl',
  foreignKey: 'Ox67-hU2bSy',
};

const leak = () => {
  const { url, bearer, foreignKey, ...known } = secrets;
  return new Error(
    `${Object.values(known).join(' | ')} | Bearer ${bearer} | ApiKey ${foreignKey} | postgres://u:${url}@h/db`,
  );
};
const fail = (): never => {
  throw leak();
};

/** A host whose secret is rotated and that received one click; it ends with the test. */
const hostAfterClick = async (options: Partial<ActionsOptions>, canView: () => boolean = () => true) => {
  const file = join(temporaryFolder(), 'actions.db');
  const lines: string[] = [];
  const write = (fields: unknown, line?: string) => void lines.push(`${JSON.stringify(fields)} ${line}`);
  const inbox = sqliteInbox(file);
  const actions = startActions(
    {
      portal: {
        ...connectionTo('http://127.0.0.1:1'),
        apiKey: secrets.apiKey,
        passPhrase: secrets.passPhrase,
      },
      secrets: [secrets.nextToken, secrets.token],
      inbox,
      audience: () => 'ann',
      itemIdOf: () => reportNumber,
      logger: { debug: write, info: write, warn: write, error: write },
      ...options,
    },
    { pollMs: 20, maxAttempts: 2, firstRetryMs: 1 },
  );
  const { mountApiKey: apiKey, mountPassPhrase: passPhrase } = secrets;
  const mount = createNodeHandler({
    portal: { ...connectionTo('http://127.0.0.1:1'), apiKey, passPhrase },
    viewer: () => ({ userId: 'ann' }),
    canView,
    actions,
    logger: false,
  });
  const server = createServer(mount);
  const url = await listen(server);
  endWithTest({ actions, server, mount });
  await (await openStream(`${url}/api/embed/actions`)).untilHello();
  const answer = await fetch(`${url}/api/embed/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secrets.nextToken}` },
    body: JSON.stringify(clickBody()),
  });
  expect(answer.status).toBe(202);
  // An action with an unknown audience waits for the next attempt.
  const pending = options.audience ? 1 : 0;
  await expect.poll(async () => (await inbox.counts())?.pending).toBe(pending);
  return { file, inbox, lines };
};

describe('secrets quoted by the code of a host', () => {
  it.each<[string, Partial<ActionsOptions>, (() => boolean)?]>([
    ['a handler', { on: fail }],
    ['audience', { audience: fail }],
    ['canView', {}, fail],
  ])('are not logged, stored or shown by the command line: %s', async (_, options, canView) => {
    const { file, inbox, lines } = await hostAfterClick(options, canView);
    await expect.poll(() => lines.join()).toContain('***');
    const stored = (await inbox.list({ limit: 10 })).map(({ lastError }) => lastError);
    const { stdout, stderr } = await runCommand(`actions list --json --inbox ${file}`);
    expect(stdout).toContain('Sales by region');
    const all = [...lines, ...stored, stdout, stderr].join('\n');
    expect(findCanary(all, ...Object.values(secrets))).toBeUndefined();
  });
});
