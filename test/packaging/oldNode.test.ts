import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSupportedNode } from '../../scripts/checkNode.mjs';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { versionsOf } from './harness/versions.ts';

/** A Node of this machine that is too old, if there is one. */
const findOldNode = (): string | undefined => {
  const { stdout } = spawnSync('which', ['-a', 'node'], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((file) => file !== '')
    .find((file) => !isSupportedNode(execFileSync(file, ['-v'], { encoding: 'utf8' }).trim().slice(1)));
};
const oldNode = findOldNode();

describe.skipIf(oldNode === undefined)('a Node that is too old', () => {
  let consumer: Consumer;
  beforeAll(async () => {
    consumer = await createConsumer({
      packages: ['contract', 'portal-client', 'server', 'actions', 'express', 'portal', 'vite', 'cli'],
      registry: versionsOf('express'),
    });
  });
  afterAll(() => consumer?.remove());

  const run = (...args: readonly string[]) =>
    spawnSync(oldNode ?? '', args, { cwd: consumer.folder, encoding: 'utf8' });
  const sentence =
    /Node \d+\.\d+\.\d+ is not supported by Vitrine: install Node \S.* from https:\/\/nodejs\.org\./;

  it.each(['portal-client', 'server', 'actions', 'express', 'portal', 'vite'])(
    'gets the reason from @vitrine/%s, and not a missing module',
    (name) => {
      const { status, stderr } = run('--input-type=module', '--eval', `import '@vitrine/${name}';`);
      expect(status).toBe(1);
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toMatch(/No such built-in|Cannot read|does not provide an export/);
    },
  );

  it('gets one sentence from the command line, and nothing else', () => {
    const { status, stdout, stderr } = run(
      join(consumer.folder, 'node_modules/vitrine/dist/bin.js'),
      'doctor',
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim()).toMatch(new RegExp(`^${sentence.source}$`));
  });
});
