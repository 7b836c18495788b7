import { runChecks } from './runChecks.ts';

runChecks('firefox');
