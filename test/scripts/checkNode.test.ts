import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { isSupportedNode } from '../../scripts/checkNode.mjs';

it.each(['22.22.3', '22.30.0', '24.15.0', '24.21.0', '26.0.0', '27.1.0'])('accepts Node %s', (version) => {
  expect(isSupportedNode(version)).toBe(true);
});

it.each(['18.20.8', '20.20.2', '22.13.0', '22.22.2', '23.11.0', '24.14.1', '25.9.0'])(
  'rejects Node %s',
  (version) => {
    expect(isSupportedNode(version)).toBe(false);
  },
);

it('accepts the current Node version without output', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/checkNode.mjs'], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
