#!/usr/bin/env node
import process from 'node:process';

try {
  await import('@vitrine/contract/require-node');
  const { main } = await import('./main.ts');
  await main();
} catch (error) {
  // Only an unsupported Node version fails here: commands report their own errors.
  process.stderr.write(`${error instanceof Error ? error.message : 'The command failed.'}\n`);
  process.exitCode = 1;
}
