#!/usr/bin/env node
import { join } from 'node:path';
import process from 'node:process';
import { runCreate } from './runCreate.ts';

process.exitCode = await runCreate(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  starters: join(import.meta.dirname, 'starters'),
});
