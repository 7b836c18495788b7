import { inspectors } from '../inspectors.ts';
import { tellDeveloper } from './tellDeveloper.ts';

// On a server, failures are in its log.
if (typeof document !== 'undefined') inspectors.add(tellDeveloper);
