import { expect, it } from 'vitest';
import { hostTable, readProofs } from '../hosts/hostTable.ts';

it('docs/hosts.md says what the tests prove in which host', async () => {
  await expect(hostTable()).toMatchFileSnapshot('../../docs/hosts.md');
});

it('control: what no test proves has no place in it, and a tag must name what is known', () => {
  const proofs = readProofs("it('shows the report [fastify: shown, silent]', async () => {})");
  expect([...proofs]).toEqual(['fastify shown', 'fastify silent']);
  expect(hostTable(proofs).match(/ yes /g)).toHaveLength(2);
  expect(() => readProofs("it('shows it [fastify: shwon]', () => {})")).toThrow('[fastify: shwon]');
});
