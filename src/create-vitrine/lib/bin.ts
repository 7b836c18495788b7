#!/usr/bin/env node
import { join } from 'node:path';
import process from 'node:process';
import { runCreate } from './runCreate.ts';

process.exitCode = await runCreate(process.argv.slice(2), process, join(import.meta.dirname, 'starters'));
