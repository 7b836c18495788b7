import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type HostCheckId, type HostId, hostChecks, hosts } from '../packages/hosts.ts';

/** What the titles in test files prove, as `host check`. Throws for an unknown host or check. */
const readProofs = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/\[(\w+): ([\w, ]+)\]'/g)].flatMap(([tag, host = '', checks = '']) =>
      checks.split(', ').map((check) => {
        if (!(host in hosts && check in hostChecks)) throw new Error(`No host or no such check: ${tag}`);
        return `${host} ${check}`;
      }),
    ),
  );

const testFiles = () => globSync('test/packages/*.test.ts').map((file) => readFileSync(file, 'utf8'));

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The page of the manual that lists what was tested in which host. */
const hostTable = (proofs = readProofs(testFiles().join('\n'))): string => {
  const checks = Object.keys(hostChecks) as HostCheckId[];
  const lines = [
    '# Hosts',
    '',
    'The tests install the packed packages in small apps and open them in a browser. `yes`: a test proves it. Empty: it does',
    'not apply, or no test checks it.',
    '',
    rowOf(['Host', ...checks.map((check) => hostChecks[check])]),
    rowOf(['---', ...checks.map(() => '---')]),
    ...(Object.keys(hosts) as HostId[]).map((host) =>
      rowOf([hosts[host], ...checks.map((check) => (proofs.has(`${host} ${check}`) ? 'yes' : ''))]),
    ),
  ];
  return `${lines.join('\n')}\n`;
};

it('docs/hosts.md lists the results of the host tests', async () => {
  await expect(hostTable()).toMatchFileSnapshot('../../docs/hosts.md');
});

it('control: leaves out what no test proves, and rejects an unknown tag', () => {
  const proofs = readProofs("it('shows the report [fastify: shown, silent]', async () => {})");
  expect([...proofs]).toEqual(['fastify shown', 'fastify silent']);
  expect(hostTable(proofs).match(/ yes /g)).toHaveLength(2);
  expect(() => readProofs("it('shows it [fastify: shwon]', () => {})")).toThrow('[fastify: shwon]');
});
