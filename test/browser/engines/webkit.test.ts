import { runChecks } from './runChecks.ts';

runChecks('webkit');
