import { inspectors } from '../inspectors.ts';
import { logForDeveloper } from './logForDeveloper.ts';

// On a server, failures are in its log.
if (typeof document !== 'undefined') inspectors.add(logForDeveloper);
