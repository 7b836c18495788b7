import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks } from './harness/codeBlocks.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { versionsOf } from './harness/versions.ts';

describe.each(['29.7.0', '30.5.2'])('@vitrine/react/testing in Jest %s and its jsdom', (version) => {
  let consumer: Consumer;
  beforeAll(async () => {
    consumer = await createConsumer({
      app: 'jest',
      packages: ['react'],
      registry: {
        '@babel/preset-env': '7.29.14',
        '@babel/preset-react': '7.29.7',
        '@babel/preset-typescript': '7.29.7',
        jest: version,
        'jest-environment-jsdom': version,
        ...versionsOf('@tanstack/react-query', '@testing-library/dom', '@testing-library/react'),
        ...versionsOf('react', 'react-dom'),
      },
    });
    const examples = ['docs/components/embedded-report.md', 'docs/components/testing.md'].flatMap(codeBlocks);
    for (const name of ['SalesPage.tsx', 'SalesPage.test.tsx']) {
      const code = examples.find(({ file }) => file === name)?.code ?? '';
      writeFileSync(join(consumer.folder, name), code.replace(/^import .* from 'vitest';$/m, ''));
    }
  });
  afterAll(() => consumer?.remove());

  it('passes its own tests and those of the guide without React warnings', async () => {
    const output = await consumer.bin('jest', '--ci');
    expect(output).toContain('Tests:       5 passed, 5 total');
    expect(output).not.toContain('console.');
  });
});
