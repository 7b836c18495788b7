#!/usr/bin/env node
import { systemIo } from './io.ts';
import { runCli } from './runCli.ts';

// `vitrine … | head` closes our output early; that is the reader's right and no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await runCli(process.argv.slice(2), systemIo());
