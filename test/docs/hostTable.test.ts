import { expect, it } from 'vitest';
import { hostTable, readProofs } from '../hosts/hostTable.ts';

it('docs/hosts.md lists the results of the host tests', async () => {
  await expect(hostTable()).toMatchFileSnapshot('../../docs/hosts.md');
});

it('control: leaves out what no test proves, and rejects an unknown tag', () => {
  const proofs = readProofs("it('shows the report [fastify: shown, silent]', async () => {})");
  expect([...proofs]).toEqual(['fastify shown', 'fastify silent']);
  expect(hostTable(proofs).match(/ yes /g)).toHaveLength(2);
  expect(() => readProofs("it('shows it [fastify: shwon]', () => {})")).toThrow('[fastify: shwon]');
});
