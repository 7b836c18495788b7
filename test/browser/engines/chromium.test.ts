import { runChecks } from './runChecks.ts';

runChecks('chromium');
